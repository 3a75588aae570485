import type { Dependencies } from "../runtime/dependencies.ts";
import type { Job, JobReader } from "../service/agent.ts";
import { isStatus, ServiceError } from "../service/errors.ts";
import { sentence } from "../text/sentence.ts";
import { explain } from "./failures.ts";

/** How long a poll may take, in milliseconds. */
const LIMIT = 15_000;

/** After so many polls in a row that told nothing, the service is taken to be down. */
const MOST_FAILED = 16;

/** Polls of a run that does not wait: none is repeated, and none is made once the service takes no more for now. */
export class SinglePolls {
  readonly #dependencies: Pick<Dependencies, "log" | "cancellation">;
  #failed = 0;
  /** Whether no more polls are made. */
  isOver = false;

  constructor(dependencies: Pick<Dependencies, "log" | "cancellation">) {
    this.#dependencies = dependencies;
  }

  /**
   * @returns the error for a job that the service does not know; null if nothing could be read
   * @throws ActionError if the key is refused, or the service is not at this address
   */
  async poll(reader: JobReader, id: string): Promise<Job | ServiceError | null> {
    if (this.isOver) return null;
    const { log, cancellation } = this.#dependencies;
    try {
      const { job } = await reader.get(id, { limit: LIMIT, signal: cancellation.stop });
      this.#failed = 0;
      log.info(`Job ${id} is ${job.status}.`);
      return job;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { failure } = error;
      if (isStatus(failure, 404, 410)) {
        this.#failed = 0;
        log.info(`Job ${id} is unknown to the service.`);
        return error;
      }
      if (isStatus(failure, 401, 403) || failure.type === "redirect") throw explain(error, "poll");
      // What another poll has ended told nothing of the service.
      if (this.isOver || failure.type === "stopped") return null;
      this.#failed += 1;
      this.isOver = isStatus(failure, 429) || this.#failed === MOST_FAILED;
      const which = this.isOver ? "it and the jobs not polled yet" : "it again";
      const why = sentence(error.message);
      log.warning(`Job ${id} could not be polled: ${why} The next run polls ${which}.`);
      return null;
    }
  }
}
