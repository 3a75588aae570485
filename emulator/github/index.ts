/** GitHub served over HTTP: its API, a few pages for a browser, and what a test steers it with. */

import { defineEmulator } from "emulate";
import { BODY } from "../http/app.ts";
import { type RecordedRequest, recordRequest } from "../http/recorded-requests.ts";
import { control } from "./control.ts";
import type { GitHub } from "./github.ts";
import { pages } from "./pages.ts";

interface GitHubState {
  requests: RecordedRequest[];
  /** How many requests have been answered that may have changed something. */
  writes: number;
}

/** For `createEmulator` and `emulate.config.ts`. */
export function gitHubSite(github: GitHub) {
  return defineEmulator<GitHubState>({
    // `github` is the name of an emulator that `emulate` has itself.
    name: "github-site",
    state: () => ({ requests: [], writes: 0 }),
    setup({ app, state }) {
      app.use(async (call, next) => {
        if (call.req.path.startsWith("/_emulator/")) return next();
        await recordRequest(state.requests, call, Date.now());
        await next();
        if (call.req.method !== "GET") state.writes += 1;
      });
      app.get("/_emulator/requests", (call) => call.json(state.requests));
      app.get("/_emulator/writes", (call) => call.json(state.writes));
      control(app, github);
      pages(app, github);
      app.notFound((call) => {
        const { pathname, search } = new URL(call.req.url);
        const { status, headers, body } = github.handle({
          method: call.req.method,
          path: `${pathname}${search}`,
          headers: call.req.header(),
          body: String(call.get(BODY) ?? ""),
        });
        const bytes = typeof body === "string" ? body : new Uint8Array(body);
        return new Response(status === 204 ? null : bytes, { status, headers });
      });
    },
  });
}
