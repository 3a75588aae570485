import type http from "node:http";
import {
  type Answer,
  type FaultyServer,
  type FaultyServerOptions,
  json,
  startFaultyServer,
} from "./faulty-server.ts";

/** A comment on the fake GitHub. */
export interface Comment {
  id: number;
  issue: number;
  body: string;
  html_url: string;
  user: { login: string; type: string };
  created_at: string;
  updated_at: string;
}

/** The calls an action makes, by what they are for. */
export type GithubCall =
  | "list-comments"
  | "get-comment"
  | "create-comment"
  | "delete-comment"
  | "edit-comment"
  | "react"
  | "permission"
  | "get-issue";

/** A GitHub with one repository, just enough of it to be told things and to refuse to listen. */
export interface FakeGithub extends AsyncDisposable {
  readonly server: FaultyServer;
  readonly url: string;
  /** The comments on an issue as they stand, oldest first. */
  comments(issue: number): Comment[];
  /** Adds a comment as somebody. A body may need the id that the comment gets. */
  addComment(
    issue: number,
    body: string | ((id: number) => string),
    login?: string,
    type?: string,
  ): Comment;
  /** Reactions, in order, as `path content`. */
  readonly reactions: readonly string[];
  /** Lets its clock run this many times faster from now on, to go with a step's fast clock. */
  runClock(factor: number): void;
  /** Answers this kind of call so from now on, and changes nothing. */
  refuse(call: GithubCall, answer: Answer): void;
  /** How this kind of call is answered when nothing is wrong. */
  own(call: GithubCall): Answer;
  /** Answers this kind of call as GitHub does again. */
  restore(call: GithubCall): void;
  /** The body of each creation and edit of a comment that was accepted, in order. */
  readonly bodies: readonly string[];
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

/** Starts a fake GitHub whose REST interface is at `url`. */
export async function startFakeGithub(
  repository = "octo/docs",
  options: FaultyServerOptions = {},
): Promise<FakeGithub> {
  const server = await startFaultyServer(options);
  const repo = `/repos/${repository}`;
  const all: Comment[] = [];
  const bodies: string[] = [];
  const reactions: string[] = [];
  let nextId = 9000;
  let now = () => new Date();

  const add = (issue: number, body: string, login: string, type: string) => {
    nextId += 1;
    const time = now().toISOString();
    const comment: Comment = {
      id: nextId,
      issue,
      body,
      html_url: `https://github.com/${repository}/issues/${issue}#issuecomment-${nextId}`,
      user: { login, type },
      created_at: time,
      updated_at: time,
    };
    all.push(comment);
    return comment;
  };
  const segment = (path: string, fromEnd: number) => {
    const segments = path.split("?")[0]?.split("/") ?? [];
    return Number(segments.at(-1 - fromEnd));
  };
  const bodyOf = (body: Buffer): string => JSON.parse(body.toString("utf8")).body;

  const list: Answer = (exchange) => {
    const query = new URL(exchange.request.path, server.url).searchParams;
    const size = Number(query.get("per_page") ?? "30");
    const page = Number(query.get("page") ?? "1");
    const issue = segment(exchange.request.path, 1);
    const found = all.filter((comment) => comment.issue === issue);
    const last = Math.max(1, Math.ceil(found.length / size));
    const link = (to: number, rel: string) => {
      query.set("page", String(to));
      return `<${server.url}${exchange.request.path.split("?")[0]}?${query}>; rel="${rel}"`;
    };
    const headers = page < last ? { link: `${link(page + 1, "next")}, ${link(last, "last")}` } : {};
    return json(200, found.slice((page - 1) * size, page * size), headers)(exchange);
  };
  const create: Answer = (exchange) => {
    const body = bodyOf(exchange.request.body);
    bodies.push(body);
    const issue = segment(exchange.request.path, 1);
    return json(201, add(issue, body, "github-actions[bot]", "Bot"))(exchange);
  };
  const withComment =
    (change: (comment: Comment, exchange: Parameters<Answer>[0]) => void): Answer =>
    (exchange) => {
      const id = segment(exchange.request.path, 0);
      const comment = all.find((one) => one.id === id);
      if (comment === undefined) return refusal(404, "Not Found")(exchange);
      change(comment, exchange);
      return json(200, comment)(exchange);
    };
  const edit = withComment((comment, { request }) => {
    comment.body = bodyOf(request.body);
    comment.updated_at = now().toISOString();
    bodies.push(comment.body);
  });
  const remove: Answer = (exchange) => {
    const index = all.findIndex(({ id }) => id === segment(exchange.request.path, 0));
    if (index === -1) return refusal(404, "Not Found")(exchange);
    all.splice(index, 1);
    exchange.response.writeHead(204).end();
    return undefined;
  };
  const react: Answer = (exchange) => {
    const { content } = JSON.parse(exchange.request.body.toString("utf8"));
    reactions.push(`${exchange.request.path} ${content}`);
    return json(201, { id: reactions.length, content })(exchange);
  };

  const routes: Record<GithubCall, [routes: string[], answer: Answer]> = {
    "list-comments": [[`GET ${repo}/issues/:n/comments`], list],
    "get-comment": [[`GET ${repo}/issues/comments/:id`], withComment(() => {})],
    "create-comment": [[`POST ${repo}/issues/:n/comments`], create],
    "delete-comment": [[`DELETE ${repo}/issues/comments/:id`], remove],
    "edit-comment": [[`PATCH ${repo}/issues/comments/:id`], edit],
    react: [
      [
        `POST ${repo}/issues/:n/reactions`,
        `POST ${repo}/issues/comments/:id/reactions`,
        `POST ${repo}/pulls/comments/:id/reactions`,
      ],
      react,
    ],
    permission: [
      [`GET ${repo}/collaborators/:user/permission`],
      json(200, { permission: "write", role_name: "write" }),
    ],
    "get-issue": [[`GET ${repo}/issues/:n`], json(200, { number: 1, title: "", state: "open" })],
  };
  const set = (call: GithubCall, answer: Answer) => {
    for (const route of routes[call][0]) server.on(route, answer);
  };
  for (const call of Object.keys(routes) as GithubCall[]) set(call, routes[call][1]);

  const close = () => server.close();
  return {
    server,
    url: server.url,
    comments: (issue) => all.filter((comment) => comment.issue === issue),
    addComment: (issue, body, login = "octocat", type = "User") =>
      add(issue, typeof body === "string" ? body : body(nextId + 1), login, type),
    reactions,
    runClock: (factor) => {
      const startedAt = Date.now();
      now = () => new Date(startedAt + (Date.now() - startedAt) * factor);
    },
    own: (call) => routes[call][1],
    refuse: set,
    restore: (call) => set(call, routes[call][1]),
    bodies,
    close,
    [Symbol.asyncDispose]: close,
  };
}
