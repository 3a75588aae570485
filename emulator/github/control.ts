/**
 * Lets a test or a person steer GitHub over HTTP. Every method of `GitHub` and of `Repository` can be called, with
 * its arguments as a JSON array:
 *
 *     POST /_emulator/github/addFault               [{"status": 502, "path": "/issues"}]
 *     POST /_emulator/repos/acme/docs/renameBranch  ["main", "trunk"]
 *     POST /_emulator/clock                         {"advance": 3600000}
 */

import type { App, Call } from "../http/app.ts";
import { HttpError } from "../http/http-error.ts";
import type { GitHub } from "./github.ts";

export function control(app: App, github: GitHub): void {
  app.get("/_emulator/reactions", (call) => call.json(github.reactions()));
  app.post("/_emulator/clock", async (call) => {
    const { advance } = await call.req.json<{ advance: number }>();
    github.advance(advance);
    return call.json({ now: github.site.now });
  });
  app.post("/_emulator/github/:method", (call) => perform(github, call));
  app.post("/_emulator/repos/:owner/:repo/:method", (call) =>
    perform(github.find(`${call.req.param("owner")}/${call.req.param("repo")}`), call),
  );
}

/** @throws HttpError 404 */
async function perform(of: object, call: Call): Promise<Response> {
  const method: unknown = Reflect.get(of, call.req.param("method"));
  if (typeof method !== "function") throw new HttpError(404, "There is no such method");
  const result: unknown = method.apply(of, await call.req.json());
  return call.json(result === of ? {} : (result ?? {}));
}
