/**
 * The documentation service as an emulator: its state, its routes, its seed.
 *
 * Every route is as the service's interface document has it; what that leaves open follows the
 * service's public documentation. `steering.ts` tells how to make a job do what you want to see.
 */

import { defineEmulator } from "emulate";
import { agentV1 } from "./agent-v1.ts";
import { agentV2 } from "./agent-v2.ts";
import { assistant } from "./assistant/index.ts";
import { authorize } from "./auth.ts";
import { CONTROL_PREFIX, control } from "./control.ts";
import { ServiceError } from "./errors.ts";
import { takeFault } from "./faults.ts";
import type { Service } from "./http.ts";
import { JobLives } from "./job-life.ts";
import { BODY, record } from "./record.ts";
import { type ServiceSeed, type ServiceState, serviceState } from "./state.ts";

/** For {@link defineEmulator}'s consumers: `createEmulator` and `emulate.config.ts`. */
export const docsService = defineEmulator<ServiceState>({
  name: "docs-service",
  state: () => serviceState(),
  // A seed may leave out whatever has a default; a restored state passes through unchanged.
  validateSeed: (seed) => serviceState(seed as ServiceSeed),
  // Its keys are server-side secrets: no browser talks to the agent.
  cors: false,
  setup({ app, state, signal, onDispose }) {
    const now = Date.now;
    const lives = new JobLives(state, now);
    onDispose(() => lives.close());
    const service: Service = { state, lives, now, signal };

    app.onError((error, call) => {
      if (error instanceof ServiceError) {
        return call.json({ error: error.message }, error.status, error.headers);
      }
      // `emulate` has written it to the console by now.
      return call.json({ error: "Internal server error" }, 500);
    });
    app.notFound((call) => call.json({ error: "Not found" }, 404));

    app.use(async (call, next) => {
      const { method, path } = call.req;
      if (path.startsWith(CONTROL_PREFIX)) {
        call.set(BODY, await call.req.text());
        return next();
      }
      await record(state.requests, call, now());
      const fault = takeFault(state, method, path);
      if (fault !== undefined) return fault;
      authorize(state, path.startsWith("/discovery/") ? "assistant" : "admin", {
        authorization: call.req.header("authorization"),
        method,
        ip: call.req.header("x-forwarded-for")?.split(",")[0]?.trim() ?? "127.0.0.1",
        now: now(),
      });
      return next();
    });

    control(app, service);
    agentV2(app, service);
    agentV1(app, service);
    assistant(app, service);
  },
});

export default docsService;
