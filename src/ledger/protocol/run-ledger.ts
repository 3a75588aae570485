import type { Issue } from "../../github/conversation/labelled-issue.ts";
import { HOUR } from "../../runtime/clock.ts";
import { inlineCode } from "../../text/markdown.ts";
import { readTicks, spellOut } from "../dashboard/render.ts";
import {
  decide,
  intend,
  type Polled,
  type PullRequest,
  takePoll,
  takeReview,
} from "../model/batches.ts";
import type { Batch, Done, HistoryLine } from "../model/ledger.ts";
import type { LedgerEdit } from "../model/ledger-edit.ts";
import { Dashboard } from "./dashboard-issue.ts";
import type { Choice, Handed, LedgerAction, LedgerPort } from "./port.ts";
import { freshness, sendBatches, startedText, unsent } from "./send-batches.ts";
import { DECISIONS } from "./store.ts";
import { Unavailable } from "./unavailable.ts";

/** The result of a run without an error. */
export class RunResult {
  /** The output `result` if the run chose nothing; null if it chose. */
  stopped: "idle" | "busy" | "paused" | null = "idle";
  /** A sentence about why it stopped; empty for none. */
  why = "";
  /** Why it handed over no more, in the action's words. */
  reason = "";
  /** The ledger at the end of the run; null if the run ended before it decided. */
  edit: LedgerEdit | null = null;
  /** Number of the dashboard's issue. */
  dashboard: number | null = null;
  /** What was handed over, with the results; in a dry run, what would be. */
  handed: Handed[] = [];
  /** The results of polls, by batch. */
  polls: ReadonlyMap<string, Polled> = new Map();
  /** Batches whose end this run found. */
  finished: HistoryLine[] = [];
  /** Docs pull requests whose end it found. */
  reviewed: Done[] = [];
  warnings: string[] = [];
}

/** Maximum number of docs pull requests that a run reads. */
const MOST_REVIEWS = 10;

/**
 * One run: records what has ended, applies people's decisions, hands over what the action chooses, and updates the
 * dashboard. It may be stopped between any two calls of the port.
 *
 * @throws ActionError: nothing was sent
 */
export async function runLedger(port: LedgerPort, action: LedgerAction): Promise<RunResult> {
  const { store, settings } = port;
  const { isDryRun, editedIssue } = settings;
  const dashboard = new Dashboard(port);
  let result: RunResult = { ...new RunResult(), warnings: dashboard.warnings };
  if (editedIssue === 0) return result;
  let facts: Facts | null = null;
  for (let time = 1; time <= DECISIONS; time++) {
    await dashboard.read();
    const { issue, number } = dashboard;
    result.dashboard = number;
    if (editedIssue !== null && editedIssue !== number) return { ...result, stopped: "idle" };
    if (issue?.isClosed) return { ...result, stopped: "paused", why: pausedText(issue) };
    const isFresh = freshness(port.dependencies.clock);
    // If there are any, a write that seemed to be lost has succeeded.
    if (ownBatches(port).length === 0) {
      facts ??= await findFacts(port);
      const edit = store.edit();
      const { batches, reason } = await decideOn(edit, facts, issue?.body ?? "", action);
      result = { ...result, stopped: null, reason, edit, polls: facts.polls };
      const name = `${store.options.runName}.${time}`;
      const planned = batches.map((batch, nth) => ({ ...batch, id: `${name}.${nth}` }));
      if (isDryRun) return { ...result, handed: unsent(planned) };
      const handed = unsent(intend(edit, planned));
      dashboard.claim(edit);
      if (handed.length > 0) port.remember(handed);
      if (edit.isChanged && (await store.write(edit)) === null) continue;
      result.reviewed = edit.newlyDone.filter(({ prLink }) => prLink !== null);
      result.finished = edit.history;
    }
    return await handOver(port, action, dashboard, result, isFresh);
  }
  return { ...result, stopped: "busy" };
}

function pausedText({ closedBy, closedAt }: Issue): string {
  const by = closedBy === "" ? "" : ` by ${inlineCode(closedBy, 60)}`;
  const since = closedAt === "" ? "" : ` since ${closedAt}`;
  return `The dashboard is closed${since}${by}, so nothing is handed over. Reopen it to go on.`;
}

/** What a run reads once, even if it decides several times. */
type Facts = Awaited<ReturnType<typeof findFacts>>;

/**
 * Polls each running batch and draft once, and reads docs pull requests that were open.
 *
 * @returns polls by batch or draft, docs pull requests by link
 */
async function findFacts(port: LedgerPort) {
  const { ledger, now } = port.store.head;
  const polls = new Map<string, Polled>();
  const reviews = new Map<string, PullRequest>();
  const readOnce = async (link: string) => {
    const pull = reviews.get(link) ?? (await port.readPullRequest(link));
    reviews.set(link, pull);
    return pull;
  };
  for (const batch of [...ledger.batches, ...ledger.drafts]) {
    const polled = batch.state === "running" ? await port.poll(batch) : null;
    if (polled === null) continue;
    polls.set(batch.id, polled);
    const reviewed = ledger.reviews.find(({ jobId }) => jobId === batch.jobId)?.prLink;
    const link = polled.prLink ?? reviewed;
    if (polled.type !== "done" || link === undefined || ledger.drafts.includes(batch)) continue;
    polls.set(batch.id, { ...polled, pull: await readOnce(link) });
  }
  // The last one decides where the next batch goes. Of the others, a run reads other ones each hour.
  const links = ledger.reviews.map(({ prLink }) => prLink);
  const others = links.slice(0, -1);
  const first = others.length < MOST_REVIEWS ? 0 : Math.floor(now / HOUR) % others.length;
  const turned = [...others.slice(first), ...others.slice(0, first)].slice(0, MOST_REVIEWS - 1);
  for (const link of [...links.slice(-1), ...turned]) await readOnce(link);
  return { polls, reviews };
}

/** Applies the facts and people's decisions to the ledger, and chooses what to hand over. @param body the dashboard's */
async function decideOn(
  edit: LedgerEdit,
  { polls, reviews }: Facts,
  body: string,
  action: LedgerAction,
): Promise<Choice> {
  for (const [id, polled] of polls) takePoll(edit, id, polled);
  for (const [link, pull] of reviews) takeReview(edit, link, pull.state);
  for (const decision of spellOut(readTicks(body), edit.undecided)) decide(edit, decision);
  const choice = await action.choose(edit);
  // Another run is about to send something.
  const isBusy = edit.ledger.batches.some(({ state }) => state === "intended");
  return isBusy ? { batches: [], reason: "busy" } : choice;
}

/** The batches that this run is about to send, by its intents in the ledger. */
function ownBatches({ store: { head, options } }: LedgerPort): Batch[] {
  return head.ledger.batches.filter(
    ({ id, state }) => id.startsWith(`${options.runName}.`) && state === "intended",
  );
}

/** The rest of a run, after its intents are written. */
async function handOver(
  port: LedgerPort,
  action: LedgerAction,
  dashboard: Dashboard,
  result: RunResult,
  isFresh: () => boolean,
): Promise<RunResult> {
  const sent = await sendBatches(port, action, ownBatches(port), isFresh);
  const { handed, unrecorded } = sent;
  if (unrecorded !== "") {
    dashboard.warnings.push(
      `What became of the requests could not be recorded: ${unrecorded}.${startedText(handed)} The post step tries again.`,
    );
  }
  const lines = [...result.finished];
  try {
    lines.push(...(await waitForJob(port, action, handed)));
    await commentOnPulls(port, action);
  } catch (error) {
    // A later run finds again what could not be recorded.
    if (!(error instanceof Unavailable)) throw error;
  }
  const edit = port.store.edit();
  await dashboard.show((ticked) => action.render(edit, ticked), !sent.isKeyRefused);
  const finished = lines.filter(({ state }) => state === "done" || state === "failed");
  return { ...result, handed, finished, dashboard: dashboard.number, edit };
}

/** Waits for the job that took a batch, if the workflow wants that. @returns what ended */
async function waitForJob(
  { store }: LedgerPort,
  action: LedgerAction,
  handed: readonly Handed[],
): Promise<HistoryLine[]> {
  const taken = handed.find(({ sent }) => sent.type === "accepted");
  const polled = taken && (await action.wait?.());
  if (!polled) return [];
  let lines: HistoryLine[] = [];
  await store.record((edit) => {
    takePoll(edit, taken.id, polled);
    lines = edit.history;
  });
  return lines;
}

/** Comments on merged pull requests, and records which need no further attempt. */
async function commentOnPulls({ store }: LedgerPort, action: LedgerAction): Promise<void> {
  const { untold } = store.head.ledger;
  if (untold.length === 0) return;
  const settled = new Set(await action.commentOn?.(untold));
  await store.record((edit) => {
    const left = edit.ledger.untold.filter(({ change }) => !settled.has(change.key));
    edit.change({ untold: left }, "Comment on pull requests");
  });
}
