import type { CallOptions, JobReader, Reply } from "./agent.ts";
import { anotherJob, ServiceError } from "./errors.ts";
import { jobOfSession, readSession } from "./session.ts";
import type { Transport } from "./transport.ts";

/** Reads jobs by version 1 of the agent interface: `GET /v1/agent/{projectId}/job/{id}`. */
export class SessionReader implements JobReader {
  readonly #transport: Transport;
  readonly #job: readonly string[];

  constructor(transport: Transport, projectId: string) {
    this.#transport = transport;
    this.#job = ["v1", "agent", projectId, "job"];
  }

  async get(id: string, options?: CallOptions): Promise<Reply> {
    const path = [...this.#job, id];
    const { value, retryAfter } = await this.#transport.json("GET", path, undefined, options);
    const session = readSession(value, id);
    if (session === null) {
      throw new ServiceError(
        { type: "unreadable" },
        "The service's response does not describe the job: it lacks haulted and haultReason",
        retryAfter,
      );
    }
    // A session that does not tell its id is taken for the one asked for.
    if (session.sessionId !== id) throw anotherJob(retryAfter);
    return { job: jobOfSession(session), retryAfter };
  }
}
