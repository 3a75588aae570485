/**
 * The documentation service as an emulator: its state, its routes, its seed.
 *
 * Every route follows the service's interface document, and where that leaves something open, the
 * service's public documentation. `agent/steering.ts` lists the options that steer a job.
 */

import { defineEmulator } from "emulate";
import type { GitHub } from "../github/github.ts";
import { type App, BODY, recordRequest } from "../http/app.ts";
import { HttpError } from "../http/http-error.ts";
import { Jobs } from "./agent/jobs.ts";
import { agentV1, agentV2 } from "./agent/routes.ts";
import { assistant } from "./assistant.ts";
import { builds, PREVIEW_PAGES } from "./builds.ts";
import { answerOf, type Fault, takeFault } from "./faults.ts";
import type { Service } from "./service.ts";
import {
  ADMIN_KEY,
  ASSISTANT_KEY,
  type ServiceSeed,
  type ServiceState,
  serviceState,
} from "./state.ts";

/** For `createEmulator` and `emulate.config.ts`. Jobs open pull requests on `github`; `onStart` may steer them. */
export function docsService(
  github: GitHub,
  onStart: (service: Service) => void = () => {},
  now = Date.now,
) {
  return defineEmulator<ServiceState>({
    name: "docs-service",
    state: () => serviceState(),
    // Adds defaults to a seed. A restored state stays as it is.
    validateSeed: (seed) => serviceState(seed as ServiceSeed),
    // Its keys are server-side secrets: no browser talks to the agent.
    cors: false,
    setup({ app, state, signal }) {
      const jobs = new Jobs(state, { github, now });
      // So that a pull request appears in time, even if nobody polls its job.
      github.beforeRequest = () => jobs.finishDue();
      const service: Service = { state, jobs, github, now, signal };
      onStart(service);

      app.onError((error, call) => {
        if (error instanceof HttpError) {
          return call.json({ error: error.message }, error.status, error.headers);
        }
        // `emulate` has written it to the console by now.
        return call.json({ error: "Internal server error" }, 500);
      });
      app.notFound((call) => call.json({ error: "Not found" }, 404));
      receive(app, state);
      for (const routes of [agentV2, agentV1, builds, assistant]) routes(app, service);
    },
  });
}

/** Runs before every route: records the request, applies faults, and checks the key. */
function receive(app: App, state: ServiceState): void {
  app.use(async (call, next) => {
    const { method, path } = call.req;
    if (path.startsWith(PREVIEW_PAGES)) return next();
    await recordRequest(state.requests, call);
    const fault = takeFault(state, { method, path, body: String(call.get(BODY) ?? "") });
    if (fault !== undefined && fault.isAfter !== true) return responseOf(fault);
    const key = path.startsWith("/discovery/") ? ASSISTANT_KEY : ADMIN_KEY;
    if (call.req.header("authorization") !== `Bearer ${key}`) {
      throw new HttpError(401, "Invalid API key");
    }
    if (key === ADMIN_KEY) checkScope(state, method);
    await next();
    return fault === undefined ? undefined : responseOf(fault);
  });
}

function responseOf(fault: Omit<Fault, "route">): Response {
  const { text, ...rest } = answerOf(fault);
  return new Response(text, rest);
}

/** @throws HttpError 401 for a key that has expired, 403 for one without the scope */
function checkScope({ scopes }: ServiceState, method: string): void {
  if (scopes === null) throw new HttpError(401, "API key expired");
  const needed = method === "GET" ? "read" : "write";
  // Whoever may write may also read.
  if (scopes.includes(needed) || scopes.includes("write")) return;
  throw new HttpError(403, `This key lacks the scope: ${needed}`);
}
