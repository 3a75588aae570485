import type { DecidedRun } from "../batches/outcome.ts";
import { type PollPace, pollContinued, pollCreated } from "../job/poll.ts";
import { finishingPolicy, stepResultOf, warnOfHiddenLink } from "../job/step-result.ts";
import { waitForEnd } from "../job/wait.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError } from "../runtime/errors.ts";
import type { Agent, Job } from "../service/agent.ts";
import { sentence } from "../text/sentence.ts";

const STILL_RUNNING = "A later run finishes the batch.";
const HANDED_OVER_AGAIN =
  "Check the job on Mintlify's dashboard. The next run hands its changes over again, up " +
  "to `max-attempts` times in total; after that, they need a decision.";

/**
 * Waits for the end of a batch's job. As in the root action, the step fails if the job failed or is still running at
 * the time limit. A later run continues.
 */
export async function waitForJob(
  job: Job,
  isFollowUp: boolean,
  agent: Agent,
  { pace, timeout }: { pace: PollPace; timeout: number },
  dependencies: Dependencies,
): Promise<NonNullable<DecidedRun["waited"]>> {
  const now = dependencies.clock.now();
  const state = isFollowUp ? pollContinued(job, now) : pollCreated(job);
  const outcome = await waitForEnd(state, agent, dependencies, { pace, deadline: now + timeout });
  const policy = { ...finishingPolicy(null), timeout };
  const { kind, quote, detail, advice } = stepResultOf(outcome, policy);
  const reason = [quote === null ? null : sentence(quote), detail]
    .filter((part) => part !== null)
    .join(" ");
  const isKeyRefused = kind === "unauthorized" || kind === "forbidden";
  const next = outcome.type === "ended" ? HANDED_OVER_AGAIN : isKeyRefused ? advice : STILL_RUNNING;
  const ended = outcome.type === "ended" ? outcome.job : null;
  warnOfHiddenLink(ended, dependencies.log);
  const mayGetPull = outcome.type === "ended" && outcome.mayGetPull;
  return {
    // What the batch came to is not known before a later run has polled its job once more.
    job: mayGetPull ? null : ended,
    error: kind === null ? null : new ActionError(kind, reason, next),
  };
}
