/**
 * Lets a test or a person steer GitHub over HTTP. Every method of `GitHub`, of its `Site` and of a `Repository` can
 * be called, with its arguments as a JSON array, and every property set:
 *
 *     POST /_emulator/github/addFault               [{"status": 502, "path": "/issues"}]
 *     POST /_emulator/github/behind                 4000
 *     POST /_emulator/site/pullListBehind           30000
 *     POST /_emulator/repos/acme/docs/renameBranch  ["main", "trunk"]
 *     POST /_emulator/repos/acme/docs/mergeRule     {"approvals": 1}
 *     POST /_emulator/clock                         {"advance": 3600000}
 */

import type { App, Call } from "../http/app.ts";
import { HttpError } from "../http/http-error.ts";
import type { GitHub } from "./github.ts";

export function control(app: App, github: GitHub): void {
  app.get("/_emulator/reactions", (call) => call.json(github.reactions()));
  app.post("/_emulator/clock", async (call) => {
    const { advance } = await call.req.json<{ advance: number }>();
    github.site.advance(advance);
    return call.json({ now: github.site.now });
  });
  app.post("/_emulator/github/:name", (call) => steer(github, call));
  app.post("/_emulator/site/:name", (call) => steer(github.site, call));
  app.post("/_emulator/repos/:owner/:repo/:name", (call) =>
    steer(github.find(`${call.req.param("owner")}/${call.req.param("repo")}`), call),
  );
}

/** @throws HttpError 404 */
async function steer(of: object, call: Call): Promise<Response> {
  const name = call.req.param("name");
  const given: unknown = await call.req.json();
  if (!(name in of)) throw new HttpError(404, `There is no ${name}`);
  const held: unknown = Reflect.get(of, name);
  if (typeof held === "function") return call.json(held.apply(of, given) ?? {});
  Reflect.set(of, name, given);
  return call.json({});
}
