/** GitHub's own emulator, as the routes of a repository's history ask it. */

import type { Call } from "../../http/app.ts";
import { pageOf } from "../limits.ts";
import { SITE_TOKENS } from "../people.ts";
import type { GitHubProxy } from "../proxy.ts";

/** What an answer other than the one hoped for is passed on as. */
export class Refused extends Error {
  readonly response: Response;

  constructor(response: Response) {
    super(`GitHub's emulator answered ${response.status}`);
    this.response = response;
  }
}

/** Asks about one repository. @throws Refused */
export interface Upstream {
  get<Answer>(path: string): Promise<Answer>;
  send<Answer>(method: "POST" | "PATCH" | "PUT", path: string, body: unknown): Promise<Answer>;
}

/** Asks with the token of whoever called. */
export function asCaller(proxy: GitHubProxy, call: Call): Upstream {
  return upstream((method, path, body) => proxy.forward(call, { method, path, body }), call);
}

let turn = 0;

/** Asks with every right, for what GitHub itself would do. */
export function asSite(proxy: GitHubProxy, call: Call): Upstream {
  turn = (turn + 1) % SITE_TOKENS.length;
  const authorization = `Bearer ${SITE_TOKENS[turn]}`;
  const { url, method } = call.req;
  const owners = { req: { url, method, header: () => ({ authorization }) }, get: () => "" };
  return upstream(
    (method, path, body) => proxy.forward(owners as unknown as Call, { method, path, body }),
    call,
  );
}

type Forward = (method: string, path: string, body: string | null) => Promise<Response>;

function upstream(forward: Forward, call: Call): Upstream {
  const { owner = "", repo = "" } = call.req.param() as Record<string, string>;
  const ask = async <Answer>(method: string, path: string, body: string | null) => {
    const answer = await forward(method, `/repos/${owner}/${repo}${path}`, body);
    if (!answer.ok) throw new Refused(answer);
    return (await answer.json()) as Answer;
  };
  return {
    get: (path) => ask("GET", path, null),
    send: (method, path, body) => ask(method, path, JSON.stringify(body)),
  };
}

/** A route that passes on what GitHub's emulator refused. */
export function passing(route: (call: Call) => Promise<Response>) {
  return async (call: Call): Promise<Response> => {
    try {
      return await route(call);
    } catch (error) {
      if (error instanceof Refused) return error.response;
      throw error;
    }
  };
}

/** A refusal in GitHub's form. */
export function refusal(call: Call, status: 404 | 405 | 409 | 410 | 422, message: string) {
  return call.json({ message, documentation_url: "https://docs.github.com/rest", status }, status);
}

/** The same list in other words, with the `Link` header of GitHub's emulator, led to where the call was received. */
export function linked(call: Call, answer: Response, list: readonly object[]): Response {
  const link = answer.headers.get("link");
  const { origin } = new URL(call.req.url);
  if (link !== null) call.header("link", link.replaceAll(/<https?:\/\/[^/]+/g, `<${origin}`));
  return call.json(list);
}

/** One page of a list, with the `Link` header that leads to the others. */
export function paged<T>(call: Call, list: readonly T[]): Response {
  const { items, link } = pageOf(list, new URL(call.req.url));
  if (link !== "") call.header("link", link);
  return call.json(items);
}
