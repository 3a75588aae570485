/**
 * GitHub's emulator, from `emulate`, with what a workflow needs and it lacks: reactions, the true
 * files and head of a pull request, pages that a browser can open, a refusal of unknown tokens,
 * and a repository with permissions and issues in it. Everything else goes straight through.
 */

import { defineEmulator } from "emulate";
import { bearer } from "../auth.ts";
import type { App, Call } from "../http.ts";
import { BODY, type RecordedRequest, record } from "../record.ts";
import { type Furniture, furnish } from "./furnish.ts";
import { pages } from "./pages.ts";
import { TOKENS } from "./people.ts";
import { permission } from "./permission.ts";
import { pulls } from "./pulls.ts";
import { type Reaction, reactions } from "./reactions.ts";

export interface GitHubOptions {
  /** Address of GitHub's own emulator; asked for at each request, because it may start later. */
  upstream: () => string;
  furniture: Furniture;
}

export interface GitHubState {
  reactions: Reaction[];
  requests: RecordedRequest[];
}

/** A request as it goes on to GitHub's own emulator, where it differs from the one received. */
export interface Forward {
  method?: string;
  path?: string;
  body?: string | null;
}

/** What stands in front of GitHub's emulator, as its routes see it. */
export interface GitHubFront {
  state: GitHubState;
  /** Sends a request on, with the caller's token. */
  forward(call: Call, change?: Forward): Promise<Response>;
  /** Whom the caller's token stands for. */
  loginOf(call: Call): string | undefined;
}

/** For `createEmulator` and `emulate.config.ts`. */
export function gitHub({ upstream, furniture }: GitHubOptions) {
  return defineEmulator<GitHubState>({
    // `github` itself is the name of the emulator that this one stands in front of.
    name: "github-site",
    state: () => ({ reactions: [], requests: [] }),
    setup({ app, state }) {
      let furnished: Promise<void> | undefined;
      const front: GitHubFront = {
        state,
        forward: (call, change) => forward(upstream(), call, change),
        loginOf: (call) => TOKENS[tokenIn(call) ?? ""]?.login,
      };

      app.use(async (call, next) => {
        if (call.req.path.startsWith("/_emulator/")) return next();
        furnished ??= furnish(upstream(), furniture);
        await furnished;
        await record(state.requests, call, Date.now());
        const token = tokenIn(call);
        if (token !== undefined && TOKENS[token] === undefined) {
          return call.json({ message: "Bad credentials" }, 401);
        }
        return next();
      });

      control(app, state);
      reactions(app, front);
      permission(app, front);
      pulls(app, front);
      pages(app, front, furniture);
      app.notFound((call) => front.forward(call));
    },
  });
}

function control(app: App, state: GitHubState): void {
  app.get("/_emulator/requests", (call) => call.json(state.requests));
  app.get("/_emulator/reactions", (call) => call.json(state.reactions));
}

function tokenIn(call: Call): string | undefined {
  const authorization = call.req.header("authorization");
  return bearer(authorization?.replace(/^token /i, "Bearer "));
}

/** Headers that describe one connection or one coding of the body, not the message. */
const OWN_TO_A_HOP = [
  "connection",
  "content-encoding",
  "content-length",
  "host",
  "keep-alive",
].concat(["accept-encoding", "transfer-encoding"]);

async function forward(upstream: string, call: Call, change: Forward = {}): Promise<Response> {
  const { pathname, search } = new URL(call.req.url);
  const method = change.method ?? call.req.method;
  const received = String(call.get(BODY) ?? "");
  const body = change.body === undefined ? received : change.body;
  const answer = await fetch(`${upstream}${change.path ?? `${pathname}${search}`}`, {
    method,
    headers: without(new Headers(call.req.header())),
    redirect: "manual",
    body: method === "GET" || method === "HEAD" ? null : body,
  });
  return new Response(answer.status === 204 ? null : await answer.arrayBuffer(), {
    status: answer.status,
    headers: without(new Headers(answer.headers)),
  });
}

function without(headers: Headers): Headers {
  for (const name of OWN_TO_A_HOP) headers.delete(name);
  return headers;
}
