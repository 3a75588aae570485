import * as z from "zod/mini";
import { type CallOptions, checked, isId } from "./agent.ts";
import type { Transport } from "./transport.ts";

/** How long a request may take, in milliseconds. */
const LIMIT = 15_000;

const started = z.object({ statusId: z.string().check(z.refine(isId)), previewUrl: z.string() });

const build = z.object({
  /** `queued`, `in_progress`, `success`, `failure`, or any other text from the service. */
  status: z.string(),
  summary: z.catch(z.string(), ""),
  logs: z.catch(z.array(z.string()), []),
});

/** Previews of branches, and their builds. Every method throws `ServiceError`. */
export class Previews {
  readonly #transport: Transport;
  readonly #projectId: string;
  readonly #limits: CallOptions;

  constructor(transport: Transport, projectId: string, signal: AbortSignal) {
    this.#transport = transport;
    this.#limits = { limit: LIMIT, signal };
    this.#projectId = projectId;
  }

  /** Builds or rebuilds the preview of a branch. The service allows 5 per minute for an organization. */
  async start(branch: string): Promise<z.infer<typeof started>> {
    const path = ["v1", "project", "preview", this.#projectId];
    const { value } = await this.#transport.json(path, { branch }, this.#limits);
    return checked(started, value, "a preview");
  }

  async build(statusId: string): Promise<z.infer<typeof build>> {
    const path = ["v1", "project", "update-status", statusId];
    const { value } = await this.#transport.json(path, null, this.#limits);
    return checked(build, value, "a build");
  }
}
