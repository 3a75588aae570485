import type { Issue } from "../../github/labelled-issue.ts";
import { inlineCode } from "../../text/markdown.ts";
import { spellOut } from "../dashboard/boxes.ts";
import {
  decide,
  type Polled,
  type PullRequest,
  takePoll,
  takeReview,
} from "../model/batch-ends.ts";
import { intend } from "../model/batch-requests.ts";
import type { Batch, Done, HistoryLine, Ledger } from "../model/ledger.ts";
import type { LedgerEdit } from "../model/ledger-edit.ts";
import {
  claimDashboard,
  type Opened,
  openLedger,
  type RunSettings,
  showDashboard,
} from "./dashboard-issue.ts";
import type { Choice, LedgerPort } from "./port.ts";
import {
  freshness,
  type Handed,
  memoryOf,
  sendBatches,
  startedText,
  UNSENT,
} from "./send-batches.ts";
import type { Head } from "./store.ts";

/** The result of a run without an error. */
export interface RunResult {
  /** The output `result` if the run chose nothing; null if it chose. */
  stopped: "idle" | "busy" | "paused" | null;
  /** A sentence about why it stopped; empty for none. */
  why: string;
  /** Why it handed over no more, in the action's words. */
  reason: string;
  /** The ledger at the end of the run; null if the run ended before it decided. */
  edit: LedgerEdit | null;
  /** The ledger's commit; null for none. */
  sha: string | null;
  /** Number of the dashboard's issue. */
  dashboard: number | null;
  /** What was handed over, with the results; in a dry run, what would be. */
  handed: Handed[];
  /** The results of polls, by batch. */
  polls: ReadonlyMap<string, Polled>;
  /** Batches whose end this run found. */
  finished: HistoryLine[];
  /** Docs pull requests whose end it found. */
  reviewed: Done[];
  warnings: string[];
}

/** Maximum number of times that a run decides if others write first. */
const DECISIONS = 3;
/** Maximum number of docs pull requests that a run reads. */
const MOST_REVIEWS = 10;
const HOUR = 60 * 60_000;

/**
 * One run: records what has ended, applies people's decisions, hands over what the action chooses, and updates the
 * dashboard. It may be stopped between any two calls of the port.
 *
 * @throws ActionError: nothing was sent
 */
export async function runLedger(port: LedgerPort, settings: RunSettings): Promise<RunResult> {
  const { store, clock, remember } = port;
  const { runName } = store.options;
  const result: RunResult = {
    ...{ stopped: "busy", why: "", reason: "", edit: null, sha: null, dashboard: null },
    ...{ handed: [], polls: new Map(), finished: [], reviewed: [], warnings: [] },
  };
  if (settings.editedIssue === 0) return { ...result, stopped: "idle" };
  let facts: Facts | null = null;
  for (let time = 1; time <= DECISIONS; time++) {
    const opened = await openLedger(port, settings);
    const { head, issue } = opened;
    result.sha = head.sha;
    result.dashboard = issue?.number ?? head.ledger.dashboard.number;
    result.warnings.push(...opened.warnings);
    const isOther = settings.editedIssue !== null && settings.editedIssue !== result.dashboard;
    if (isOther) return { ...result, stopped: "idle" };
    if (issue?.isClosed) return { ...result, stopped: "paused", why: pausedText(issue) };
    const isFresh = freshness(clock);
    // A write that seemed to be lost has succeeded.
    if (ownBatches(head, runName).length > 0) {
      return await handOver(port, head, opened, result, isFresh);
    }
    facts ??= await findFacts(port, head);
    const { edit, choice } = await decideOn(port, opened, facts);
    // A dry run shows the ledger as it is before it hands anything over.
    result.edit = settings.isDryRun ? store.options.editOf(edit) : edit;
    result.polls = facts.polls;
    result.stopped = null;
    result.reason = choice.reason;
    const planned = choice.batches.map((batch, nth) => ({
      ...batch,
      id: `${runName}.${time}.${nth}`,
    }));
    const handed = intend(edit, planned).map((batch) => ({ batch, sent: UNSENT }));
    if (settings.isDryRun) return { ...result, handed };
    claimDashboard(edit, opened, runName);
    if (handed.length > 0) remember(memoryOf(handed));
    const after = edit.isChanged ? await store.write(head, edit) : head;
    if (after === null) continue;
    result.finished = edit.history.filter(isEndOfJob);
    const { done } = head.ledger;
    result.reviewed = edit.ledger.done.filter((one) => one.prLink !== null && !done.includes(one));
    return await handOver(port, after, opened, result, isFresh);
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
async function findFacts(port: LedgerPort, { ledger, now }: Head<Ledger>) {
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
    if (polled.type !== "done" || link === undefined || batch.isDraft) continue;
    const pull = await readOnce(link);
    if (batch.isFollowUp) polls.set(batch.id, { ...polled, pull });
  }
  // The last one decides where the next batch goes. Of the others, a run reads other ones each hour.
  const links = ledger.reviews.map(({ prLink }) => prLink);
  const others = links.slice(0, -1);
  const first = others.length < MOST_REVIEWS ? 0 : Math.floor(now / HOUR) % others.length;
  const turned = [...others.slice(first), ...others.slice(0, first)].slice(0, MOST_REVIEWS - 1);
  for (const link of [...links.slice(-1), ...turned]) await readOnce(link);
  return { polls, reviews };
}

/** Applies the facts and people's decisions to the ledger, and chooses what to hand over. */
async function decideOn(
  { store, action }: LedgerPort,
  { head, decisions }: Opened,
  { polls, reviews }: Facts,
): Promise<{ edit: LedgerEdit; choice: Choice }> {
  const edit = store.options.editOf(head);
  for (const [id, polled] of polls) takePoll(edit, id, polled);
  for (const [link, pull] of reviews) takeReview(edit, link, pull);
  for (const decision of spellOut(decisions, edit.undecided)) decide(edit, decision);
  const choice = await action.choose(edit, head.sha);
  // Another run is about to send something.
  const isBusy = edit.ledger.batches.some(({ state }) => state === "intended");
  return { edit, choice: isBusy ? { batches: [], reason: "busy" } : choice };
}

/** The batches that this run is about to send, by its intents in the ledger. */
function ownBatches({ ledger }: Head<Ledger>, runName: string): Batch[] {
  return ledger.batches.filter(
    ({ id, state }) => id.startsWith(`${runName}.`) && state === "intended",
  );
}

function isEndOfJob({ state }: HistoryLine): boolean {
  return state === "done" || state === "failed";
}

/** The rest of a run, after its intents are written. */
async function handOver(
  port: LedgerPort,
  head: Head<Ledger>,
  opened: Opened,
  result: RunResult,
  isFresh: () => boolean,
): Promise<RunResult> {
  const batches = ownBatches(head, port.store.options.runName);
  const { handed, unrecorded, ...sent } = await sendBatches(port, head, batches, isFresh);
  const waited = await waitForJobs(port, sent.head, handed);
  const warnings = [...result.warnings];
  if (unrecorded !== "") {
    warnings.push(
      `What became of the requests could not be recorded: ${unrecorded}.${startedText(handed)} The post step tries again.`,
    );
  }
  const commented = await commentOnPulls(port, waited.head);
  const shown = await showDashboard(port, commented, opened.issue, sent.isKeyRefused);
  if (shown.why !== "") {
    warnings.push(`The dashboard could not be written: ${shown.why}. The ledger is not affected.`);
  }
  return {
    ...{ ...result, handed, warnings, dashboard: shown.dashboard, sha: shown.head.sha },
    finished: [...result.finished, ...waited.finished.filter(isEndOfJob)],
    edit: port.store.options.editOf(shown.head),
  };
}

/** Waits for the batches' jobs, if the workflow wants that. @returns `finished`: those that ended */
async function waitForJobs({ store, action }: LedgerPort, from: Head<Ledger>, handed: Handed[]) {
  let head = from;
  const finished: HistoryLine[] = [];
  for (const { batch, sent } of handed) {
    if (sent.type !== "accepted") continue;
    const polled = (await action.wait?.({ ...batch, jobId: sent.jobId })) ?? null;
    if (polled === null) continue;
    let lines: HistoryLine[] = [];
    const after = await store.tryToRecord(head, (edit) => {
      takePoll(edit, batch.id, polled);
      lines = edit.history;
    });
    if (after !== head) finished.push(...lines);
    head = after;
  }
  return { head, finished };
}

/** Comments on merged pull requests, and records which need no further attempt. */
async function commentOnPulls({ store, action }: LedgerPort, head: Head<Ledger>) {
  if (head.ledger.untold.length === 0) return head;
  const settled = new Set(await action.commentOn?.(head.ledger.untold));
  return await store.tryToRecord(head, (edit) => {
    const untold = edit.ledger.untold.filter(({ change }) => !settled.has(change.key));
    if (untold.length < edit.ledger.untold.length)
      edit.change({ untold }, "Comment on pull requests");
  });
}
