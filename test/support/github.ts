import type http from "node:http";
import { createEmulator } from "emulate";
import { gitHub } from "../../emulator/github/index.ts";
import { OWNER, tokenOf, WORKFLOW } from "../../emulator/github/people.ts";
import { startUpstreamGitHub } from "../../emulator/local-world/upstream-github.ts";
import { json } from "./answers.ts";
import {
  type Answer,
  type FaultyServer,
  type FaultyServerOptions,
  startFaultyServer,
} from "./faulty-server.ts";

export { tokenOf, WORKFLOW };

/** A comment as GitHub tells of it. */
export interface Comment {
  id: number;
  body: string;
  html_url: string;
  user: { login: string };
  created_at: string;
}

/** The calls that an action makes, by what they are for. */
export type GitHubCall =
  | "list-comments"
  | "list-all-comments"
  | "get-comment"
  | "create-comment"
  | "delete-comment"
  | "edit-comment"
  | "react"
  | "permission"
  | "get-issue";

/** The emulated GitHub with one repository, behind a server that can be told to fail. */
export interface TestGitHub extends AsyncDisposable {
  /** What the action talks to: its requests, and routes of a test's own. */
  readonly server: FaultyServer;
  readonly url: string;
  /** The comments on an issue, oldest first. */
  comments(issue: number): Promise<Comment[]>;
  /** Adds a comment as somebody: `octocat`, `writer`, `outsider`, … A body may need the comment's id. */
  addComment(
    issue: number,
    body: string | ((id: number) => string),
    login?: string,
  ): Promise<Comment>;
  /** Replaces the text of a comment, as its author or the repository's owner can. */
  editComment(id: number, body: string): Promise<void>;
  /** Puts GitHub's clock forward, by milliseconds. */
  passTime(advance: number): Promise<void>;
  /** Reactions, in order, as `path content`. */
  readonly reactions: readonly string[];
  /** The body of each creation and edit of a comment that was accepted, in order. */
  readonly bodies: readonly string[];
  /** Answers this kind of call so from now on, and does nothing else. */
  answer(call: GitHubCall, answer: Answer): void;
  /** Answers this kind of call as GitHub does again. */
  restore(call: GitHubCall): void;
  /** Starts what is emulated, which takes a moment: for a test in which GitHub's first answer is not to be late. */
  start(): Promise<void>;
  /** Answers a call as GitHub does. */
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
  "delete-comment": ["DELETE /issues/comments/:id"],
  "edit-comment": ["PATCH /issues/comments/:id"],
  react: [
    "POST /issues/:n/reactions",
    "POST /issues/comments/:id/reactions",
    "POST /pulls/comments/:id/reactions",
  ],
  permission: ["GET /collaborators/:user/permission"],
  "get-issue": ["GET /issues/:n"],
};

/** Starts a GitHub whose REST interface is at `url`; what is emulated starts with the first use of it. */
export async function startGitHub(
  repository = "octo/docs",
  options: FaultyServerOptions = {},
): Promise<TestGitHub> {
  const repo = `/repos/${repository}`;
  const bodies: string[] = [];
  const reactions: string[] = [];
  let emulated: Promise<EmulatedGitHub> | undefined;
  const fetchGenuine: Fetch = async (...call) => {
    emulated ??= emulate(repository, server.url);
    return (await emulated).fetch(...call);
  };
  const start = async () => {
    await fetchGenuine("GET", repo, {});
  };

  const genuine: Answer = async ({ request: { method, path, headers, body }, response }) => {
    const answer = await fetchGenuine(method, path, headers, body);
    const content = Buffer.from(await answer.arrayBuffer());
    if (answer.ok && /^(POST|PATCH) \S+\/comments(\/\d+)?$/.test(`${method} ${path}`)) {
      bodies.push(JSON.parse(body.toString()).body);
    }
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(content);
  };
  const server = await startFaultyServer({ ...options, fallback: genuine });

  // The comments that events tell of are made up, so that GitHub itself would not find them.
  const react: Answer = (exchange) => {
    const { content } = JSON.parse(exchange.request.body.toString());
    reactions.push(`${exchange.request.path} ${content}`);
    return json(201, { id: reactions.length, content })(exchange);
  };
  const answer = (call: GitHubCall, given: Answer) => {
    for (const route of CALLS[call]) server.on(route.replace(" ", ` ${repo}`), given);
  };
  const restore = (call: GitHubCall) => answer(call, call === "react" ? react : genuine);
  restore("react");

  /** A call of the test's own. */
  const call = async <Body>(method: string, path: string, login: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${tokenOf(login)}` };
    const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const answer = await fetchGenuine(method, `${repo}${path}`, headers, content);
    if (!answer.ok) throw new Error(`${method} ${path} by ${login}: ${await answer.text()}`);
    return (await answer.json()) as Body;
  };
  const close = async () => {
    await server.close();
    await (await emulated)?.close();
  };
  return {
    ...{ server, url: server.url, reactions, bodies, answer, restore, genuine, start, close },
    comments: async (issue) => {
      if (emulated === undefined) return [];
      const pages: Comment[][] = [];
      do {
        const page = pages.length + 1;
        const path = `/issues/${issue}/comments?per_page=100&page=${page}`;
        pages.push(await call<Comment[]>("GET", path, OWNER));
      } while (pages.at(-1)?.length === 100);
      return pages.flat();
    },
    addComment: async (issue, body, login = OWNER) => {
      const path = `/issues/${issue}/comments`;
      if (typeof body === "string") return await call<Comment>("POST", path, login, { body });
      const { id } = await call<Comment>("POST", path, login, { body: "…" });
      return await call<Comment>("PATCH", `/issues/comments/${id}`, OWNER, { body: body(id) });
    },
    editComment: async (id, body) => {
      await call("PATCH", `/issues/comments/${id}`, OWNER, { body });
    },
    passTime: async (advance) => {
      const body = Buffer.from(JSON.stringify({ advance }));
      const answer = await fetchGenuine("POST", "/_emulator/clock", {}, body);
      if (!answer.ok) throw new Error(`the clock: ${await answer.text()}`);
    },
    [Symbol.asyncDispose]: close,
  };
}

type Fetch = (
  method: string,
  path: string,
  headers: http.IncomingHttpHeaders,
  body?: Buffer,
) => Promise<Response>;

interface EmulatedGitHub {
  fetch: Fetch;
  close(): Promise<void>;
}

/** @param url where the emulated GitHub can be reached, for the links in its answers */
async function emulate(repository: string, url: string): Promise<EmulatedGitHub> {
  const upstream = await startUpstreamGitHub(repository, url, 0);
  const issues = Array.from({ length: ISSUES }, (_, nth) => ({
    ...{ title: `Issue ${nth + 1}`, body: "Please explain." },
  }));
  const site = await createEmulator({
    service: gitHub({
      upstream: () => upstream.url,
      contents: { repository, files: {}, issues },
    }),
    listen: false,
  });
  return {
    fetch: (method, path, headers, body) => {
      const isRead = method === "GET" || method === "HEAD";
      const content = isRead || body === undefined ? null : new Uint8Array(body);
      const init = { method, headers: headers as Record<string, string>, body: content };
      return site.fetch(new Request(`${url}${path}`, init));
    },
    async close() {
      await site.close();
      await upstream.close();
    },
  };
}
