import * as z from "zod/mini";
import { type CallOptions, checked, isId } from "./agent.ts";
import type { Transport } from "./transport.ts";

const started = z.object({ statusId: z.string().check(z.refine(isId)), previewUrl: z.string() });

const build = z.object({
  /** `queued`, `in_progress`, `success`, `failure`, or one nobody knows yet. */
  status: z.string(),
  summary: z.catch(z.string(), ""),
  logs: z.catch(z.array(z.string()), []),
});

/** Previews of branches, and their builds. Every method throws `ServiceError`. */
export class Previews {
  readonly #transport: Transport;
  readonly #projectId: string;

  constructor(transport: Transport, projectId: string) {
    this.#transport = transport;
    this.#projectId = projectId;
  }

  /** Builds the preview of a branch, again if it has one. At most 5 a minute for an organization. */
  async start(branch: string, options?: CallOptions): Promise<z.infer<typeof started>> {
    const path = ["v1", "project", "preview", this.#projectId];
    const { value } = await this.#transport.json("POST", path, { branch }, options);
    return checked(started, value, "a preview");
  }

  async build(statusId: string, options?: CallOptions): Promise<z.infer<typeof build>> {
    const path = ["v1", "project", "update-status", statusId];
    const { value } = await this.#transport.json("GET", path, undefined, options);
    return checked(build, value, "a build");
  }
}
