import { connector } from "../github/connect.ts";
import { GitRef } from "../github/git-ref.ts";
import { histories } from "../github/history.ts";
import type { RunContext } from "../github/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { parseLandInputs } from "../inputs/land.ts";
import { SinglePolls } from "../job/wait.ts";
import { hasFailed } from "../ledger/protocol/port.ts";
import {
  type FileSettings,
  type Head,
  readHead,
  recordOnNewest,
  writeLedger,
} from "../ledger/protocol/write-ledger.ts";
import { performOnGit } from "../ledger/run/ledger-port.ts";
import { shortHash } from "../ledger/run/ledger-run.ts";
import { recordLate } from "../ledger/run/post-step.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { drawName } from "../runtime/dependencies.ts";
import { ActionError, cancelledRun, invalidInput } from "../runtime/errors.ts";
import { inParallel } from "../runtime/in-parallel.ts";
import { AgentV2 } from "../service/agent-v2.ts";
import { Previews } from "../service/previews.ts";
import { Transport } from "../service/transport.ts";
import { Acting, clocks } from "./acting.ts";
import { landMarkers } from "./comment.ts";
import type { LandRun } from "./land-run.ts";
import { type Entry, LandEdit, type LandLedger, landFormat } from "./ledger.ts";
import { type PullRead, readPull } from "./read.ts";
import { ageIntents, intend, type Result, takeResults } from "./record.ts";
import { reportLand } from "./report.ts";
import { type Found, findPulls, takeFound } from "./sources.ts";
import { hasWork, type LandOutcome, standingOf } from "./standing.ts";

/** How many docs pull requests are read at a time. */
const AT_ONCE = 8;
/** How often a run decides anew because another one was faster. */
const DECISIONS = 3;

/** What the main step leaves for its post step: plain data without a secret. */
interface SavedRun {
  ref: string;
  runName: string;
  project: string;
  repository: string;
  githubApiUrl: string;
  results: readonly Result[];
}

/**
 * Takes each docs pull request to merged or closed: what is wrong with it goes back to the agent, and what
 * remains to a person.
 *
 * @returns whether the step fails
 */
export async function land(
  read: ReadInput,
  context: RunContext,
  dependencies: Dependencies,
): Promise<boolean> {
  const inputs = parseLandInputs(read, context);
  const { projectId, keys } = inputs;
  const { repository, serverUrl } = context;
  const project = shortHash(projectId);
  const ledgerRef = inputs.ledgerRef ?? `refs/docs-agent/land/${inputs.name || project}`;
  const runName = `${context.runId || "0"}-${context.attempt}-${drawName(dependencies)}`;
  dependencies.http.checkProxy(inputs.githubApiUrl);
  const connect = connector(inputs, dependencies);
  const transport = new Transport(inputs, dependencies);
  const githubApiUrl = inputs.githubApiUrl.href;
  const saved = { ref: ledgerRef, runName, project, repository, githubApiUrl };
  const outcome = await runLand({
    ...{ inputs, repository, serverUrl, project, connect, dependencies },
    ref: new GitRef(repository, ledgerRef, connect),
    settings: settingsOf(saved),
    historyOf: histories(connect),
    agent: new AgentV2(transport, projectId),
    polls: new SinglePolls(dependencies),
    previews: new Previews(transport, projectId),
    markers: landMarkers(keys, projectId),
    remember: (results) =>
      dependencies.outputs.saveState(
        results === null ? null : ({ ...saved, results } satisfies SavedRun),
      ),
  });
  return reportLand(outcome, inputs.dryRun, dependencies);
}

/**
 * One run of land: finds docs pull requests, decides about each, writes down what it is about to do, does it,
 * and writes down what came of it.
 *
 * @throws ActionError
 */
async function runLand(run: LandRun): Promise<LandOutcome> {
  const { inputs, ref, settings, remember, dependencies } = run;
  let found: Found | null = null;
  for (let time = 1; ; time++) {
    const begun = clocks(run);
    const head = await headOf(run);
    found ??= await findPulls(head.ledger, head.now, run);
    const edit = new LandEdit(head.ledger, head.now);
    ageIntents(edit);
    takeFound(edit, found);
    // What was read before another run did something says nothing of what that has done.
    const reads = await readAll(edit.ledger.open, run);
    const standings = edit.ledger.open.map((it) => standingOf(it, reads, edit, run));
    const shown = { ledger: edit.ledger, sha: head.sha, now: head.now, standings, error: null };
    if (inputs.dryRun) return shown;
    const busy = standings.filter((it) => hasWork(it, run));
    for (const { entry, decision } of busy) {
      const step = decision?.step;
      intend(edit, entry.url, settings.runName, step?.type === "follow-up" ? step.news : []);
    }
    if (!edit.isChanged) return shown;
    if (busy.length > 0) remember(busy.map(({ result }) => result));
    const written = await performOnGit(writeLedger(settings, head, edit), ref, dependencies);
    if (written.type === "failed") throw unavailable(written.failed, settings.ref);
    if (written.type === "written") {
      return await new Acting(run, begun).act(written.head, standings, busy);
    }
    remember(null);
    if (time < DECISIONS) continue;
    dependencies.log.info("Other runs were faster each time, so they do what there is to do.");
    return { ...shown, standings: standings.map((it) => ({ ...it, decision: null })) };
  }
}

async function headOf({ settings, ref, dependencies }: LandRun): Promise<Head<LandLedger>> {
  const head = await performOnGit(readHead(settings), ref, dependencies);
  if ("problem" in head) throw invalidInput(head.problem);
  if (hasFailed(head)) throw unavailable(head.failed, settings.ref);
  return head;
}

async function readAll(entries: readonly Entry[], run: LandRun): Promise<Map<string, PullRead>> {
  const reads = new Map<string, PullRead>();
  await inParallel(entries, AT_ONCE, async (entry) => {
    if (run.dependencies.cancellation.stop.aborted) throw cancelledRun();
    reads.set(entry.url, await readPull(entry, run));
  });
  return reads;
}

function unavailable(why: string, ref: string): ActionError {
  const what = `The ledger ${ref} could not be read or written: ${why}.`;
  return new ActionError("github-unavailable", what, "Nothing was sent or merged.");
}

/**
 * The post step of a run that was killed, or that could not write down what it did: writes down what is still known.
 *
 * @param state what the main step has left
 */
export async function recordKilledLand(
  state: unknown,
  read: (input: string) => string,
  _context: unknown,
  dependencies: Dependencies,
): Promise<void> {
  const saved = state as SavedRun;
  const change = (edit: LandEdit) => takeResults(edit, saved.runName, saved.results);
  await recordLate(saved, recordOnNewest(settingsOf(saved), change), read, dependencies);
}

function settingsOf({
  ref,
  runName,
  project,
}: Omit<SavedRun, "results">): FileSettings<LandLedger, LandEdit> {
  const format = landFormat({ action: "land", project });
  return { ref, runName, format, editOf: ({ ledger, now }) => new LandEdit(ledger, now) };
}
