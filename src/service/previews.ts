import * as z from "zod/mini";
import { type CallOptions, isId } from "./agent.ts";
import { ServiceError } from "./errors.ts";
import type { Transport } from "./transport.ts";

const started = z.object({ statusId: z.string().check(z.refine(isId)), previewUrl: z.string() });

const build = z.object({
  status: z.string(),
  summary: z.catch(z.string(), ""),
  logs: z.catch(z.array(z.string()), []),
});

/** A build of a preview. */
interface Build {
  /** `queued`, `in_progress`, `success`, `failure`, or one nobody knows yet. */
  status: string;
  summary: string;
  logs: string[];
}

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

  async build(statusId: string, options?: CallOptions): Promise<Build> {
    const path = ["v1", "project", "update-status", statusId];
    const { value } = await this.#transport.json("GET", path, undefined, options);
    return checked(build, value, "a build");
  }
}

function checked<T>(schema: z.ZodMiniType<T>, value: unknown, what: string): T {
  const { data } = schema.safeParse(value);
  if (data !== undefined) return data;
  throw new ServiceError(
    { type: "unreadable" },
    `The service's response does not describe ${what}`,
  );
}
