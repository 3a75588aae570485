/** Reads the ends of the logs of failed jobs, which say more than their annotations. */

import { explainRefusal } from "../github/api/refusal.ts";
import type { DocsPull } from "../github/changes/docs-pull.ts";
import type { Check } from "../github/changes/docs-pull-checks.ts";
import { readJobLog } from "../github/changes/job-log.ts";
import type { PullPlace } from "./acts.ts";
import type { PullFacts } from "./facts.ts";
import type { Entry } from "./ledger.ts";
import { checkIdOf } from "./problems.ts";
import type { LandRun } from "./run.ts";
import { nextStep } from "./step.ts";
import { PullWrites } from "./writes.ts";

/** For how many failed jobs of a docs pull request a run reads the log. */
const MOST_LOGS = 5;

/** The pull request, with the logs of the failed jobs that a follow-up is due about. */
export async function withLogs(
  facts: PullFacts,
  entry: Entry,
  place: PullPlace,
  run: LandRun,
): Promise<DocsPull> {
  const { pull } = facts;
  const step = nextStep(facts, entry, run.inputs, run.store.now);
  if (entry.intent !== null || step.type !== "follow-up") return pull;
  const due = step.problems.map(({ id }) => id);
  const failed = pull.checks.filter((check) => check.isJob && due.includes(checkIdOf(check)));
  const logs = new Map<string, string | null>();
  for (const check of failed.slice(0, MOST_LOGS)) {
    logs.set(check.id, await logOf(place, check, run));
  }
  const checks = pull.checks.map((check) => ({ ...check, log: logs.get(check.id) ?? null }));
  return { ...pull, checks };
}

/** Null if it cannot be read: the follow-up does without. */
async function logOf(place: PullPlace, { id, name }: Check, run: LandRun): Promise<string | null> {
  try {
    return await readJobLog(await run.connect(), place.repository, id);
  } catch (error) {
    const { reason } = explainRefusal(error, ["actions: read"]);
    const job = JSON.stringify(name);
    new PullWrites(run).info(place, `The log of the job ${job} could not be read: ${reason}.`);
    return null;
  }
}
