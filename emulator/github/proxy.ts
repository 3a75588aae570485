/** What the routes in front of GitHub's own emulator share: their state, and the way to it. */

import { BODY, bearer, type Call } from "../http/app.ts";
import { exchange } from "../http/exchange.ts";
import type { RecordedRequest } from "../http/recorded-requests.ts";
import { TOKENS } from "./people.ts";

export interface Reaction {
  id: number;
  /** Path of what was reacted to, for example `/repos/acme/docs/issues/1`; of a review, its node id. */
  subject: string;
  login: string;
  content: string;
}

export interface GitHubState {
  reactions: Reaction[];
  requests: RecordedRequest[];
  /** How many requests have been answered that may have changed something. */
  writes: number;
}

/** A request as it goes on to GitHub's own emulator, where it differs from the one received. */
export interface ForwardChange {
  method?: string;
  path?: string;
  body?: string | null;
}

/** The proxy in front of GitHub's own emulator, as its routes see it. */
export interface GitHubProxy {
  state: GitHubState;
  /** Sends a request on, with the caller's token. */
  forward(call: Call, change?: ForwardChange): Promise<Response>;
  /** Sends a GET request on; undefined: it was refused, or nothing was found. */
  read<Answer>(call: Call, path: string): Promise<Answer | undefined>;
  /** The account of the caller's token. */
  loginOf(call: Call): string | undefined;
}

/** @param upstream address of GitHub's own emulator; asked for at each request, because it may start later. */
export function gitHubProxy(state: GitHubState, upstream: () => string): GitHubProxy {
  const send = (call: Call, change?: ForwardChange) => forward(upstream(), call, change);
  return {
    state,
    forward: send,
    async read<Answer>(call: Call, path: string) {
      const answer = await send(call, { method: "GET", path, body: null });
      return answer.ok ? ((await answer.json()) as Answer) : undefined;
    },
    loginOf: (call) => TOKENS[tokenIn(call) ?? ""]?.login,
  };
}

/** The caller's token, in either of the forms that GitHub takes. */
export function tokenIn(call: Call): string | undefined {
  const authorization = call.req.header("authorization");
  return bearer(authorization?.replace(/^token /i, "Bearer "));
}

/** Headers that describe one connection or one coding of the body, not the message. */
const HOP_BY_HOP = [
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "host",
  "keep-alive",
  "transfer-encoding",
];

async function forward(
  upstream: string,
  call: Call,
  change: ForwardChange = {},
): Promise<Response> {
  const { pathname, search } = new URL(call.req.url);
  const method = change.method ?? call.req.method;
  const received = String(call.get(BODY) ?? "");
  const body = change.body === undefined ? received : change.body;
  const answer = await exchange(`${upstream}${change.path ?? `${pathname}${search}`}`, {
    method,
    headers: withoutHopByHop(call.req.header()),
    body: method === "GET" || method === "HEAD" ? null : body,
  });
  return new Response(answer.status === 204 ? null : new Uint8Array(answer.body), {
    status: answer.status,
    headers: withoutHopByHop(answer.headers),
  });
}

/** @param received by their names in small letters */
function withoutHopByHop(received: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(received).filter(([name]) => !HOP_BY_HOP.includes(name)),
  );
}
