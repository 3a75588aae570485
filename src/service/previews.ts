import * as z from "zod/mini";
import { checked, isId } from "./agent.ts";
import type { JsonTransport } from "./transport.ts";

const started = z.object({ statusId: z.string().check(z.refine(isId)), previewUrl: z.string() });

const build = z.object({
  /** `queued`, `in_progress`, `success`, `failure`, or any other text from the service. */
  status: z.string(),
  summary: z.catch(z.string(), ""),
  logs: z.catch(z.array(z.string()), []),
});

/** Previews of branches, and their builds. Every method throws `ServiceError`. */
export interface Previews {
  /** Builds or rebuilds the preview of a branch. The service allows 5 per minute for an organization. */
  start(branch: string): Promise<z.infer<typeof started>>;
  build(statusId: string): Promise<z.infer<typeof build>>;
}

export function previewsOf(
  transport: JsonTransport,
  projectId: string,
  signal: AbortSignal,
): Previews {
  return {
    async start(branch) {
      const path = ["v1", "project", "preview", projectId];
      const { value } = await transport.json(path, { branch }, { signal });
      return checked(started, value, "a preview");
    },

    async build(statusId) {
      const path = ["v1", "project", "update-status", statusId];
      const { value } = await transport.json(path, null, { signal });
      return checked(build, value, "a build");
    },
  };
}
