import { hasFailed, perform } from "../ledger/protocol/port.ts";
import { type Head, readFileHead, writeLedger } from "../ledger/protocol/write-ledger.ts";
import { ActionError, cancelledRun, invalidInput } from "../runtime/errors.ts";
import { inParallel } from "../runtime/in-parallel.ts";
import { Acting, clocks } from "./acting.ts";
import { type Entry, LandEdit, type LandLedger } from "./ledger.ts";
import { jobPolls, type PullRead, readPull } from "./read.ts";
import { ageIntents, intend } from "./record.ts";
import { type Found, findPulls, type SourceOptions, takeFound } from "./sources.ts";
import { hasWork, type LandOutcome, type RunOptions, standingOf } from "./standing.ts";

/** How many docs pull requests are read at a time. */
const AT_ONCE = 8;
/** How often a run decides anew because another one was faster. */
const DECISIONS = 3;

/**
 * One run of land: finds docs pull requests, decides about each, writes down what it is about to do, does it,
 * and writes down what came of it.
 *
 * @throws ActionError
 */
export async function runLand(options: RunOptions): Promise<LandOutcome> {
  const { settings, port, sources, reading, rules, remember, dependencies } = options;
  const pollJob = jobPolls(reading);
  let found: Found | null = null;
  for (let time = 1; ; time++) {
    const begun = clocks(options);
    const head = await readHead(options);
    // What was read before another run did something says nothing of what that has done.
    const reads = new Map<string, PullRead>();
    found ??= await findPulls(head.ledger, head.now, { ...sources, pollJob });
    const edit = new LandEdit(head.ledger, head.now);
    ageIntents(edit);
    takeFound(edit, found);
    await readAll(edit.ledger.open, reads, pollJob, options);
    const standings = edit.ledger.open.map((it) => standingOf(it, reads, edit, options));
    const shown = { ledger: edit.ledger, sha: head.sha, now: head.now, standings, error: null };
    if (rules.dryRun) return shown;
    const busy = standings.filter((it) => hasWork(it, options));
    for (const { entry, decision } of busy) {
      const step = decision?.step;
      intend(edit, entry.url, settings.runName, step?.type === "follow-up" ? step.news : []);
    }
    if (!edit.isChanged) return shown;
    if (busy.length > 0) remember(busy.map(({ result }) => result));
    const written = await perform(writeLedger(settings, head, edit), port);
    if (written.type === "failed") throw unavailable(written.failed, settings.ref);
    if (written.type === "written") {
      return await new Acting(options, begun).act(written.head, standings, busy);
    }
    remember(null);
    if (time < DECISIONS) continue;
    dependencies.log.info("Other runs were faster each time, so they do what there is to do.");
    return { ...shown, standings: standings.map((it) => ({ ...it, decision: null })) };
  }
}

async function readHead({ settings, port }: RunOptions): Promise<Head<LandLedger>> {
  const head = await perform(readFileHead(settings), port);
  if ("problem" in head) throw invalidInput(head.problem);
  if (hasFailed(head)) throw unavailable(head.failed, settings.ref);
  return head;
}

async function readAll(
  entries: readonly Entry[],
  reads: Map<string, PullRead>,
  pollJob: SourceOptions["pollJob"],
  { reading, dependencies }: RunOptions,
): Promise<void> {
  const unread = entries.filter(({ url }) => !reads.has(url));
  await inParallel(unread, AT_ONCE, async (entry) => {
    if (dependencies.cancellation.stop.aborted) throw cancelledRun();
    reads.set(entry.url, await readPull(entry, pollJob, reading));
  });
}

function unavailable(why: string, ref: string): ActionError {
  const what = `The ledger ${ref} could not be read or written: ${why}.`;
  return new ActionError("github-unavailable", what, "Nothing was sent or merged.");
}
