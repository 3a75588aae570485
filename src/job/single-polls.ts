import type { Dependencies } from "../runtime/dependencies.ts";
import type { Job, JobReader } from "../service/agent.ts";
import { isStatus, ServiceError } from "../service/errors.ts";
import { sentence } from "../text/sentence.ts";
import { explain } from "./failures.ts";

/** How long a poll may take, in milliseconds. */
const LIMIT = 15_000;

/** Polls of a run that does not wait: none is repeated, and none is made once the service takes no more for now. */
export class SinglePolls {
  readonly #dependencies: Pick<Dependencies, "log" | "cancellation">;
  #isLimited = false;

  constructor(dependencies: Pick<Dependencies, "log" | "cancellation">) {
    this.#dependencies = dependencies;
  }

  /**
   * @returns `unknown` for a job that the service does not know; null if nothing could be read
   * @throws ActionError if the key is refused, or the service is not at this address
   */
  async poll(reader: JobReader, id: string): Promise<Job | "unknown" | null> {
    if (this.#isLimited) return null;
    const { log, cancellation } = this.#dependencies;
    try {
      const { job } = await reader.get(id, { limit: LIMIT, signal: cancellation.stop });
      log.info(`Job ${id} is ${job.status}.`);
      return job;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { failure } = error;
      if (isStatus(failure, 404, 410)) {
        log.info(`Job ${id} is unknown to the service.`);
        return "unknown";
      }
      if (isStatus(failure, 401, 403) || failure.type === "redirect") throw explain(error, "poll");
      this.#isLimited = isStatus(failure, 429);
      const which = this.#isLimited ? "it and the jobs not polled yet" : "it again";
      const why = sentence(error.message);
      log.warning(`Job ${id} could not be polled: ${why} The next run polls ${which}.`);
      return null;
    }
  }
}
