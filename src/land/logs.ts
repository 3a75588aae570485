/** Reads the ends of the logs of failed jobs, which say more than their annotations. */

import { explainRefusal } from "../github/api/refusal.ts";
import type { DocsPull } from "../github/changes/docs-pull.ts";
import type { Check } from "../github/changes/docs-pull-checks.ts";
import { readJobLog } from "../github/changes/job-log.ts";
import { countingChecks } from "./checks.ts";
import type { Entry } from "./ledger.ts";
import { checkIdOf } from "./problems.ts";
import type { LandRun } from "./run.ts";

/** For how many failed jobs of a docs pull request a run reads the log. */
const MOST_LOGS = 5;

/** The pull request, with the logs of the failed jobs that a follow-up may be about. */
export async function withLogs(pull: DocsPull, entry: Entry, run: LandRun): Promise<DocsPull> {
  const { inputs } = run;
  const isClosed = entry.isClosedToFollowUps || entry.isEditedByOthers || pull.isEditedByOthers;
  const isSendable = !isClosed && entry.followUps.length < inputs.maxFollowUps;
  if (inputs.checks !== "follow-up" || !isSendable) return pull;
  const failed = countingChecks(pull, inputs).filter(
    (check) => check.state === "red" && check.isJob && !entry.sent.includes(checkIdOf(check)),
  );
  const logs = new Map<string, string>();
  for (const check of failed.slice(0, MOST_LOGS)) {
    logs.set(check.id, await logOf(pull, check, run));
  }
  const checks = pull.checks.map((check) => ({ ...check, log: logs.get(check.id) ?? "" }));
  return { ...pull, checks };
}

/** Empty if it cannot be read: the follow-up does without. */
async function logOf(
  { repository, url }: DocsPull,
  { id, name }: Check,
  { connect, dependencies: { log } }: LandRun,
): Promise<string> {
  try {
    return await readJobLog(await connect(), repository, id);
  } catch (error) {
    const { reason } = explainRefusal(error, ["actions: read"]);
    log.info(`${url}: The log of the job ${JSON.stringify(name)} could not be read: ${reason}.`);
    return "";
  }
}
