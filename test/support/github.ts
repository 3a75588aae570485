import type http from "node:http";
import { GitHub } from "../../emulator/github/github.ts";
import { OWNER, tokenOf, WORKFLOW } from "../../emulator/github/people.ts";
import type { Deployment } from "../../emulator/github/state.ts";
import { json } from "./answers.ts";
import {
  type Answer,
  type FaultyServer,
  type FaultyServerOptions,
  startFaultyServer,
} from "./faulty-server.ts";

export { tokenOf, WORKFLOW };

/** A comment as GitHub's API returns it. */
export interface Comment {
  id: number;
  body: string;
  html_url: string;
  user: { login: string };
  created_at: string;
}

/** The calls that an action makes, by their purpose. */
export type GitHubCall =
  | "list-comments"
  | "list-all-comments"
  | "get-comment"
  | "create-comment"
  | "edit-comment"
  | "react"
  | "permission"
  | "get-issue";

/** The emulated GitHub with one repository, behind a server that can fail. */
export interface TestGitHub extends AsyncDisposable {
  /** The emulated GitHub's accounts and habits. */
  readonly site: GitHub["site"];
  /** The server that the action's requests go to. A test can add its own routes. */
  readonly server: FaultyServer;
  readonly url: string;
  /** The comments on an issue, oldest first. */
  comments(issue: number): Promise<Comment[]>;
  /** The body of the first comment on an issue. It is an error if there is none. */
  firstBody(issue: number): Promise<string>;
  /** Adds a comment by an account: `octocat`, `writer`, `outsider`, … A body can depend on the comment's id. */
  addComment(
    issue: number,
    body: string | ((id: number) => string),
    login?: string,
  ): Promise<Comment>;
  /** Replaces the text of a comment, as the repository's owner. */
  editComment(id: number, body: string): Promise<void>;
  /** Advances GitHub's clock, in milliseconds. */
  passTime(advance: number): Promise<void>;
  /** The newest commit of the repository. */
  readonly head: string;
  /** The deployments, the oldest first. */
  readonly deployments: readonly Deployment[];
  /** Reactions, in order, as `path content`. */
  readonly reactions: readonly string[];
  /** The bodies of all comments that were created or edited successfully, in order. */
  readonly bodies: readonly string[];
  /** From now on, answers this kind of call with this answer only. */
  answer(call: GitHubCall, answer: Answer): void;
  /** From now on, answers this kind of call as GitHub does. */
  restore(call: GitHubCall): void;
  /** The answer of the emulated GitHub. */
  readonly genuine: Answer;
  close(): Promise<void>;
}

/** A refusal in GitHub's own form. */
export function refusal(
  status: number,
  message: string,
  headers: http.OutgoingHttpHeaders = {},
): Answer {
  return json(status, { message, documentation_url: "https://docs.github.com/rest" }, headers);
}

/** Issues of the repository, numbered from 1. */
const ISSUES = 12;

const CALLS: Record<GitHubCall, readonly string[]> = {
  "list-comments": ["GET /issues/:n/comments"],
  "list-all-comments": ["GET /issues/comments"],
  "get-comment": ["GET /issues/comments/:id"],
  "create-comment": ["POST /issues/:n/comments"],
  "edit-comment": ["PATCH /issues/comments/:id"],
  react: [
    "POST /issues/:n/reactions",
    "POST /issues/comments/:id/reactions",
    "POST /pulls/comments/:id/reactions",
  ],
  permission: ["GET /collaborators/:user/permission"],
  "get-issue": ["GET /issues/:n"],
};

/** Starts a GitHub whose REST interface is at `url`. */
export async function startGitHub(
  repository = "octo/docs",
  options: FaultyServerOptions = {},
): Promise<TestGitHub> {
  const repo = `/repos/${repository}`;
  const bodies: string[] = [];
  const reactions: string[] = [];
  const emulated = new GitHub();
  const home = emulated.create(repository);
  for (let nth = 1; nth <= ISSUES; nth += 1) {
    home.openIssue({ title: `Issue ${nth}`, body: "Please explain." });
  }

  const genuine: Answer = async ({ request: { method, path, headers, body }, response }) => {
    const { authorization, accept } = headers;
    const answer = emulated.handle({
      method,
      path,
      headers: { authorization, accept },
      body: body.toString(),
    });
    const isWritten = /^(POST|PATCH) \S+\/comments(\/\d+)?$/.test(`${method} ${path}`);
    if (answer.status < 300 && isWritten) bodies.push(JSON.parse(body.toString()).body);
    response.writeHead(answer.status, answer.headers);
    response.end(answer.body);
  };
  const server = await startFaultyServer({ ...options, fallback: genuine });

  // The comments in the events do not exist on the emulated GitHub.
  const react: Answer = (exchange) => {
    const { content } = JSON.parse(exchange.request.body.toString());
    reactions.push(`${exchange.request.path} ${content}`);
    return json(201, { id: reactions.length, content })(exchange);
  };
  const answer = (call: GitHubCall, response: Answer) => {
    for (const route of CALLS[call]) server.on(route.replace(" ", ` ${repo}`), response);
  };
  const restore = (call: GitHubCall) => answer(call, call === "react" ? react : genuine);
  restore("react");
  // Neither do the reviews.
  const added = { data: { addReaction: { clientMutationId: null } } };
  server.on("POST /graphql", json(200, added));

  emulated.site.apiUrl = server.url;
  emulated.site.webUrl = server.url;

  /** Sends a request of the test itself. */
  const call = <Body>(method: string, path: string, login: string, body?: unknown): Body => {
    const headers = { authorization: `Bearer ${tokenOf(login)}` };
    const content = body === undefined ? "" : JSON.stringify(body);
    const request = { method, path: `${repo}${path}`, headers, body: content };
    const { status, body: answer } = emulated.handle(request);
    if (status >= 300) throw new Error(`${method} ${path} by ${login}: ${answer}`);
    return JSON.parse(String(answer)) as Body;
  };
  const comments = (issue: number): Comment[] => {
    const pages: Comment[][] = [];
    do {
      const page = pages.length + 1;
      const path = `/issues/${issue}/comments?per_page=100&page=${page}`;
      pages.push(call<Comment[]>("GET", path, OWNER));
    } while (pages.at(-1)?.length === 100);
    return pages.flat();
  };
  return {
    site: emulated.site,
    server,
    url: server.url,
    head: home.tip(),
    deployments: home.deployments,
    reactions,
    bodies,
    answer,
    restore,
    genuine,
    close: () => server.close(),
    comments: async (issue) => comments(issue),
    firstBody: async (issue) => {
      const [comment] = comments(issue);
      if (comment === undefined) throw new Error(`There is no comment on #${issue}`);
      return comment.body;
    },
    addComment: async (issue, body, login = OWNER) => {
      const path = `/issues/${issue}/comments`;
      if (typeof body === "string") return call<Comment>("POST", path, login, { body });
      const { id } = call<Comment>("POST", path, login, { body: "…" });
      return call<Comment>("PATCH", `/issues/comments/${id}`, OWNER, { body: body(id) });
    },
    editComment: async (id, body) => {
      call("PATCH", `/issues/comments/${id}`, OWNER, { body });
    },
    passTime: async (advance) => emulated.site.advance(advance),
    [Symbol.asyncDispose]: () => server.close(),
  };
}
