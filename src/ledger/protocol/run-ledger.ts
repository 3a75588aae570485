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

/** How a run came out, unless it ends with an error. */
export interface RunResult {
  /** The output `result` of a run that chose nothing; null: it did. */
  stopped: "idle" | "busy" | "paused" | null;
  /** What stopped it, if people should know more than that; else empty. */
  why: string;
  /** Why it handed over no more, as the action calls it. */
  reason: string;
  /** The ledger as the run leaves it; null: the run ended before it decided. */
  edit: LedgerEdit | null;
  /** The commit that it is at; null: there is none. */
  sha: string | null;
  /** Number of the dashboard's issue. */
  dashboard: number | null;
  /** What was handed over, with the results; in a dry run, what would be. */
  handed: Handed[];
  /** What polls brought, by batch. */
  polls: ReadonlyMap<string, Polled>;
  /** Batches that this run found ended. */
  finished: HistoryLine[];
  /** Docs pull requests whose review it found ended. */
  reviewed: Done[];
  warnings: string[];
}

/** How often a run decides anew because another one was faster. */
const DECISIONS = 3;
/** How many docs pull requests are read in a run. */
const MOST_REVIEWS = 10;
const HOUR = 60 * 60_000;

/**
 * One run: finishes what has ended, does what people decided, hands over what the action chooses, and shows
 * it. It may be stopped between any two calls of the port.
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
    // A write that seemed to be lost was not.
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
    const planned = choice.batches.map((it, nth) => ({ ...it, id: `${runName}.${time}.${nth}` }));
    const handed = intend(edit, planned).map((batch) => ({ batch, sent: UNSENT }));
    if (settings.isDryRun) return { ...result, handed };
    claimDashboard(edit, opened, runName);
    if (handed.length > 0) remember(memoryOf(handed));
    const after = edit.isChanged ? await store.write(head, edit) : head;
    if (after === null) continue;
    result.finished = edit.history.filter(isEndOfJob);
    const { done } = head.ledger;
    result.reviewed = edit.ledger.done.filter((it) => it.prLink !== null && !done.includes(it));
    return await handOver(port, after, opened, result, isFresh);
  }
  return { ...result, stopped: "busy" };
}

function pausedText({ closedBy, closedAt }: Issue): string {
  const by = closedBy === "" ? "" : ` by ${inlineCode(closedBy, 60)}`;
  const since = closedAt === "" ? "" : ` since ${closedAt}`;
  return `The dashboard is closed${since}${by}, so nothing is handed over. Reopen it to go on.`;
}

/** What a run finds out once, however often it decides. */
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
    const known = ledger.reviews.find(({ jobId }) => jobId === batch.jobId)?.prLink;
    const link = polled.prLink ?? known;
    if (polled.type !== "done" || link === undefined || batch.isDraft) continue;
    const pull = await readOnce(link);
    if (batch.isFollowUp) polls.set(batch.id, { ...polled, pull });
  }
  // The last one says where the next batch goes; of the others, each hour some.
  const links = ledger.reviews.map(({ prLink }) => prLink);
  const others = links.slice(0, -1);
  const first = others.length < MOST_REVIEWS ? 0 : Math.floor(now / HOUR) % others.length;
  const turned = [...others.slice(first), ...others.slice(0, first)].slice(0, MOST_REVIEWS - 1);
  for (const link of [...links.slice(-1), ...turned]) await readOnce(link);
  return { polls, reviews };
}

/** What follows from the ledger, the facts and people's decisions, and what to hand over. */
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

/** What this run has written that it is about to send. */
function ownBatches({ ledger }: Head<Ledger>, runName: string): Batch[] {
  return ledger.batches.filter(
    ({ id, state }) => id.startsWith(`${runName}.`) && state === "intended",
  );
}

function isEndOfJob({ state }: HistoryLine): boolean {
  return state === "done" || state === "failed";
}

/** The rest of a run, once its intent is in the ledger. */
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
  const told = await tellPullRequests(port, waited.head);
  const shown = await showDashboard(port, told, opened.issue, sent.isKeyRefused);
  if (shown.why !== "") {
    warnings.push(`The dashboard could not be written: ${shown.why}. The ledger is not affected.`);
  }
  return {
    ...{ ...result, handed, warnings, dashboard: shown.dashboard, sha: shown.head.sha },
    finished: [...result.finished, ...waited.finished.filter(isEndOfJob)],
    edit: port.store.options.editOf(shown.head),
  };
}

/** Waits for the jobs that took the batches, if the workflow wants that. @returns those that came to their end, too */
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

/** Comments on merged pull requests, and remembers on which it need not be tried again. */
async function tellPullRequests({ store, action }: LedgerPort, head: Head<Ledger>) {
  if (head.ledger.untold.length === 0) return head;
  const told = new Set(await action.tell?.(head.ledger.untold));
  return await store.tryToRecord(head, (edit) => {
    const untold = edit.ledger.untold.filter(({ change }) => !told.has(change.key));
    if (untold.length < edit.ledger.untold.length)
      edit.change({ untold }, "Comment on pull requests");
  });
}
