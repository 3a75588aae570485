/** What a run of a ledger does to the world, beyond the calls themselves: patience, and what answers mean. */

import type { Connect } from "../../github/connect.ts";
import type { GitRef } from "../../github/git-ref.ts";
import { readCommitTime, readPullRequest } from "../../github/pull-request.ts";
import { STALE_LIMIT } from "../../job/poll.ts";
import { SinglePolls } from "../../job/single-polls.ts";
import type { Dependencies } from "../../runtime/dependencies.ts";
import type { Job, JobReader } from "../../service/agent.ts";
import { safeLink } from "../../text/link.ts";
import type { Polled } from "../model/batch-ends.ts";
import type { LedgerPort } from "../protocol/port.ts";
import type { Git } from "../protocol/store.ts";

/** How long it is tried to write what must not be lost, in milliseconds. */
const PATIENCE = 5 * 60_000;
/** Delay before the second attempt, in milliseconds; each further one takes twice as long, up to the other. */
const FIRST_DELAY = 1_000;
const LONGEST_DELAY = 30_000;
/** How often it is tried again after a signal. */
const ATTEMPTS_AFTER_SIGNAL = 3;

/** What a ledger needs of git, and the patience with it. */
export function patientGit(ref: GitRef, { clock, log, cancellation }: Dependencies): Git {
  let deadline = 0;
  const pause = async (attempt: number) => {
    const { stop } = cancellation;
    if (attempt === 1) deadline = clock.now() + PATIENCE;
    if (stop.aborted) return attempt <= ATTEMPTS_AFTER_SIGNAL;
    const backoff = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (attempt - 1));
    const delay = Math.max(backoff, ref.retryAfter ?? 0);
    if (clock.now() + delay > deadline) return false;
    if (attempt > 1) log.info(`The ledger is written again in ${Math.ceil(delay / 1000)} s.`);
    await clock.sleep(delay, stop);
    return true;
  };
  return Object.assign(ref, { pause });
}

/** Polls the job of a batch once; reads a docs pull request. */
export function readers(
  reader: JobReader,
  serverUrl: string,
  connect: Connect,
  dependencies: Dependencies,
): Pick<LedgerPort, "poll" | "readPullRequest"> {
  const polls = new SinglePolls(dependencies);
  return {
    async poll({ jobId, isFollowUp, acceptedAt }) {
      const job = jobId === null ? null : await polls.poll(reader, jobId);
      if (job === null) return null;
      if (job === "unknown") {
        return { type: "unknown", status: "unknown", prLink: null, branch: null };
      }
      const polled = polledOf(job);
      const age = dependencies.clock.timeOfDay() - Date.parse(acceptedAt ?? "");
      // Such an end may be the one from before the follow-up.
      const mayBeOld = isFollowUp && polled.type !== "running" && Math.abs(age) < STALE_LIMIT;
      return mayBeOld ? null : polled;
    },
    async readPullRequest(link) {
      const { state, head } = await readPullRequest(link, serverUrl, connect);
      const isOver = state === "merged" || state === "closed";
      const lastCommitAt = isOver ? await readCommitTime(link, head, serverUrl, connect) : "";
      return { state, lastCommitAt };
    },
  };
}

/** A job's record, as far as the ledger needs it. An archived job is done. */
export function polledOf({ status, prLink, ref }: Job): Polled {
  const told = { status, prLink: safeLink(prLink ?? ""), branch: ref };
  if (status === "completed" || status === "archived") return { type: "done", ...told };
  return { type: status === "failed" ? "failed" : "running", ...told };
}
