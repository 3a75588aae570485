/**
 * The documentation service as an emulator: its state, its routes, its seed.
 *
 * Every route follows the service's interface document, and where that leaves something open, the
 * service's public documentation. `agent/steering.ts` lists how to make a job do what you want to see.
 */

import { defineEmulator } from "emulate";
import type { GitHub } from "../github/github.ts";
import { HttpError } from "../http/http-error.ts";
import { recordRequest } from "../http/recorded-requests.ts";
import { Jobs } from "./agent/jobs.ts";
import { agentV1 } from "./agent/v1.ts";
import { agentV2 } from "./agent/v2.ts";
import { assistant } from "./assistant/index.ts";
import { CONTROL_PREFIX, control } from "./control.ts";
import { takeFault } from "./faults.ts";
import { GREETING_PATH, greet } from "./greeting.ts";
import { authorize } from "./keys.ts";
import { previews } from "./previews/index.ts";
import { type ServiceSeed, serviceState } from "./seed.ts";
import type { App, Service } from "./service.ts";
import type { ServiceState } from "./state.ts";

/**
 * For `createEmulator` and `emulate.config.ts`.
 *
 * @param github where jobs open their pull requests
 * @param onStart gets the service, to steer it
 * @param now its clock: milliseconds since 1970
 */
export function docsService(
  github: GitHub,
  onStart: (service: Service) => void = () => {},
  now = Date.now,
) {
  return defineEmulator<ServiceState>({
    name: "docs-service",
    state: () => serviceState(),
    // A seed may leave out whatever has a default; a restored state passes through unchanged.
    validateSeed: (seed) => serviceState(seed as ServiceSeed),
    // Its keys are server-side secrets: no browser talks to the agent.
    cors: false,
    setup({ app, state, signal }) {
      const jobs = new Jobs(state, { github, now });
      // A pull request is there in time, even if nobody polls its job.
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
      receive(app, service);
      control(app, service);
      agentV2(app, service);
      agentV1(app, service);
      previews(app, service);
      assistant(app, service);
    },
  });
}

/** What happens to each request before its route: it is recorded, may meet a fault, and needs a key. */
function receive(app: App, service: Service): void {
  const { state, now } = service;
  app.use(async (call, next) => {
    const { method, path } = call.req;
    if (path.startsWith(CONTROL_PREFIX)) return next();
    await recordRequest(state.requests, call);
    if (method === "GET" && path === GREETING_PATH) return greet(call, service);
    const fault = takeFault(state.faults, method, path);
    if (fault !== undefined) return fault;
    authorize(state.keys, {
      kind: path.startsWith("/discovery/") ? "assistant" : "admin",
      authorization: call.req.header("authorization"),
      method,
      ip: call.req.header("x-forwarded-for")?.split(",")[0]?.trim() ?? "127.0.0.1",
      now: now(),
    });
    return next();
  });
}
