import { connector } from "../github/connect.ts";
import { GitRef } from "../github/git-ref.ts";
import { histories } from "../github/history.ts";
import type { RunContext } from "../github/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { parseLandInputs } from "../inputs/land.ts";
import { SinglePolls } from "../job/wait.ts";
import { freshness } from "../ledger/protocol/send-batches.ts";
import { LedgerStore, patientGit, type StoreOptions } from "../ledger/protocol/store.ts";
import { shortHash } from "../ledger/run/ledger-run.ts";
import { recordLate } from "../ledger/run/post-step.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { drawName } from "../runtime/dependencies.ts";
import { cancelledRun } from "../runtime/errors.ts";
import { inParallel } from "../runtime/in-parallel.ts";
import { AgentV2 } from "../service/agent-v2.ts";
import { Previews } from "../service/previews.ts";
import { Transport } from "../service/transport.ts";
import { Acting } from "./acting.ts";
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
  const ref = new GitRef(repository, ledgerRef, connect);
  const outcome = await runLand({
    ...{ inputs, repository, serverUrl, project, connect, dependencies, ref },
    store: new LedgerStore(patientGit(ref, dependencies), optionsOf(saved)),
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
  const { inputs, store, remember, dependencies } = run;
  let found: Found | null = null;
  for (let time = 1; ; time++) {
    const isFresh = freshness(dependencies.clock);
    const head = await store.read();
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
      intend(edit, entry.url, store.options.runName, step?.type === "follow-up" ? step.news : []);
    }
    if (!edit.isChanged) return shown;
    if (busy.length > 0) remember(busy.map(({ result }) => result));
    const written = await store.write(head, edit);
    if (written !== null) return await new Acting(run, isFresh).act(written, standings, busy);
    remember(null);
    if (time < DECISIONS) continue;
    dependencies.log.info("Other runs were faster each time, so they do what there is to do.");
    return { ...shown, standings: standings.map((it) => ({ ...it, decision: null })) };
  }
}

async function readAll(entries: readonly Entry[], run: LandRun): Promise<Map<string, PullRead>> {
  const reads = new Map<string, PullRead>();
  await inParallel(entries, AT_ONCE, async (entry) => {
    if (run.dependencies.cancellation.stop.aborted) throw cancelledRun();
    reads.set(entry.url, await readPull(entry, run));
  });
  return reads;
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
  const githubToken = read("github-token").trim();
  await recordLate({ ...saved, githubToken }, optionsOf(saved), change, dependencies);
}

function optionsOf({
  ref,
  runName,
  project,
}: Omit<SavedRun, "results">): StoreOptions<LandLedger, LandEdit> {
  const format = landFormat({ action: "land", project });
  return { ref, runName, format, editOf: ({ ledger, now }) => new LandEdit(ledger, now) };
}
