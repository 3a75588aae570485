/** GitHub's API served over HTTP, and each issue and pull request as a page of plain text. */

import { defineEmulator } from "emulate";
import { BODY, recordRequest } from "../http/app.ts";
import type { GitHub } from "./github.ts";

/** For `createEmulator` and `emulate.config.ts`. */
export function gitHubSite(github: GitHub) {
  return defineEmulator({
    // `github` is the name of an emulator that `emulate` has itself.
    name: "github-site",
    state: () => github.received,
    setup({ app }) {
      app.use(async (call, next) => {
        await recordRequest(github.received.requests, call);
        await next();
      });
      app.get("/:owner/:repo/:kind{issues|pull}/:number", (call) => {
        github.beforeRequest();
        const { owner = "", repo = "", number } = call.req.param();
        const repository = github.find(`${owner}/${repo}`);
        const issue = repository.issues.get(Number(number));
        if (issue === undefined) return call.notFound();
        const posts = [issue, ...repository.commentsOn(issue.number)];
        const texts = posts.map(({ author, body }) => `${author}:\n\n${body}`);
        return call.text([`#${number} ${issue.title} (${issue.state})`, ...texts].join("\n\n"));
      });
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
