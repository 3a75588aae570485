/**
 * GitHub's emulator, from `emulate`, with what a workflow needs and it lacks: reactions, pull requests
 * among the issues, the actual files and head of a pull request, pages that a browser can open, a
 * refusal of unknown tokens, and a repository with permissions and issues in it. Everything else goes
 * straight through.
 */

import { defineEmulator } from "emulate";
import type { App } from "../http/app.ts";
import { recordRequest } from "../http/recorded-requests.ts";
import { bodyLimit } from "./body-limit.ts";
import { fillRepository, type RepositoryContents } from "./contents.ts";
import { history } from "./history/index.ts";
import { pages } from "./pages.ts";
import { TOKENS } from "./people.ts";
import { permission } from "./permission.ts";
import { type GitHubState, gitHubProxy, tokenIn } from "./proxy.ts";
import { reactions } from "./reactions.ts";

export interface GitHubOptions {
  /** Address of GitHub's own emulator; asked for at each request, because it may start later. */
  upstream: () => string;
  contents: RepositoryContents;
}

/** For `createEmulator` and `emulate.config.ts`. */
export function gitHub({ upstream, contents }: GitHubOptions) {
  return defineEmulator<GitHubState>({
    // `github` itself is the name of the emulator that this one is a proxy for.
    name: "github-site",
    state: () => ({ reactions: [], requests: [], writes: 0 }),
    setup({ app, state }) {
      const proxy = gitHubProxy(state, upstream);
      receive(app, state, { upstream, contents });
      control(app, state);
      bodyLimit(app);
      reactions(app, proxy);
      permission(app, proxy);
      history(app, proxy);
      pages(app, proxy, contents.repository);
      app.notFound((call) => proxy.forward(call));
    },
  });
}

/** What happens to each request before its route: it is recorded, and its token has to be known. */
function receive(app: App, state: GitHubState, { upstream, contents }: GitHubOptions): void {
  let filled: Promise<void> | undefined;
  app.use(async (call, next) => {
    if (call.req.path.startsWith("/_emulator/")) return next();
    filled ??= fillRepository(upstream(), contents);
    await filled;
    await recordRequest(state.requests, call, Date.now());
    const token = tokenIn(call);
    if (token !== undefined && TOKENS[token] === undefined) {
      return call.json({ message: "Bad credentials" }, 401);
    }
    await next();
    if (call.req.method !== "GET") state.writes += 1;
  });
}

function control(app: App, state: GitHubState): void {
  app.get("/_emulator/requests", (call) => call.json(state.requests));
  app.get("/_emulator/reactions", (call) => call.json(state.reactions));
  app.get("/_emulator/writes", (call) => call.json(state.writes));
}
