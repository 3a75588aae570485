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

/** Previews of branches, and their builds. Every function throws `ServiceError`. */
export function previewsOf(transport: JsonTransport, projectId: string, signal: AbortSignal) {
  return {
    /** Builds or rebuilds the preview of a branch. The service allows 5 per minute for an organization. */
    async start(branch: string) {
      const path = ["v1", "project", "preview", projectId];
      const { value } = await transport.json(path, { branch }, { signal });
      return checked(started, value, "a preview");
    },

    async build(statusId: string) {
      const path = ["v1", "project", "update-status", statusId];
      const { value } = await transport.json(path, null, { signal });
      return checked(build, value, "a build");
    },
  };
}
