/** Changes to the docs pull requests in land's ledger. */

import type { DocsPull } from "../github/docs-pull.ts";
import type { Sent } from "../job/start.ts";
import { INTENT_LIFETIME } from "../ledger/model/ledger-edit.ts";
import { newsText } from "./decide.ts";
import type { Facts, News } from "./facts.ts";
import type { Ended, Entry, LandEdit, Preview } from "./ledger.ts";

const DAY = 24 * 60 * 60_000;
/** For how long those that ended are kept, in milliseconds, and how many at least. */
const ENDED_KEPT = 31 * DAY;
const LEAST_ENDED = 10;
/** How long one that cannot be read is kept, in milliseconds. */
const UNREAD_KEPT = 30 * DAY;

/** What a run did about a docs pull request: what the ledger has to know. Plain data, for the post step, too. */
export interface Result {
  url: string;
  sent?: Sent | { type: "refused" };
  ended?: "merged" | "closed";
  entry: Partial<Pick<Entry, "isSetUp" | "asked" | "comment" | "preview" | "isReminded" | "needs">>;
}

/** Whether another run may be at work on it. */
export function isHeld({ intent }: Entry): boolean {
  return intent !== null;
}

/** Ends the intents of dead runs. Their follow-ups may have been sent, so they count as sent. */
export function ageIntents(edit: LandEdit): void {
  for (const { url, intent } of edit.ledger.open) {
    if (intent === null || edit.now - Date.parse(intent.at) < INTENT_LIFETIME) continue;
    closeIntent(edit, url, intent.followUp === null ? null : { isUncertain: true });
  }
}

/** Ends an intent. @param sent the result of its follow-up; null: it was not sent */
function closeIntent(edit: LandEdit, url: string, sent: { isUncertain: boolean } | null): void {
  const entry = edit.entry(url);
  const followUp = entry?.intent?.followUp ?? null;
  if (entry === undefined) return;
  if (followUp === null || sent === null) {
    edit.changeEntry(url, { intent: null });
    return;
  }
  const { about, head, news } = followUp;
  const followUps = [...entry.followUps, { at: edit.time, about, head, ...sent }];
  const event = `${sent.isUncertain ? "The agent may have been told" : "The agent was told"}: ${url}`;
  edit.changeEntry(url, { intent: null, followUps, sent: [...entry.sent, ...news] }, event);
}

/** Takes up what was read of it. */
export function takeRead(edit: LandEdit, url: string, facts: Facts, preview: Preview | null): void {
  const entry = edit.entry(url);
  if (entry === undefined) return;
  const { pull } = facts;
  const isNew = entry.head !== pull.head;
  const agent = entry.agent || pull.firstAuthor;
  const headAt = entry.head === "" ? entry.foundAt : edit.time;
  edit.changeEntry(url, {
    ...(isNew ? { head: pull.head, headAt } : {}),
    ...{ openedAt: pull.createdAt, preview, agent },
    // A branch whose first commit is somebody else's now was pushed anew by force.
    isEditedByOthers: pull.isEditedByOthers || pull.firstAuthor !== agent,
    unreadFrom: "",
  });
}

/** Takes up that it cannot be read. */
export function takeUnread(edit: LandEdit, url: string): void {
  const entry = edit.entry(url);
  if (entry === undefined) return;
  const unreadFrom = entry.unreadFrom || edit.time;
  edit.changeEntry(url, { unreadFrom });
  if (edit.now - Date.parse(unreadFrom) < UNREAD_KEPT) return;
  const open = edit.ledger.open.filter((it) => it.url !== url);
  edit.change({ open }, `Give up ${url}, which cannot be read`);
}

/** Writes down what a run is about to do. */
export function intend(edit: LandEdit, url: string, run: string, news: readonly News[]): void {
  const head = edit.entry(url)?.head ?? "";
  const ids = news.map(({ id }) => id);
  const about = newsText(news);
  const followUp = news.length === 0 ? null : { about, head, news: ids };
  const event = followUp === null ? `Look after ${url}` : `Tell the agent of ${about}: ${url}`;
  edit.changeEntry(url, { intent: { run, at: edit.time, followUp } }, event);
}

/** Takes one that was merged or closed out of the open ones. */
export function endPull(
  edit: LandEdit,
  url: string,
  state: "merged" | "closed",
  pull?: DocsPull,
): void {
  const entry = edit.entry(url);
  if (entry === undefined) return;
  const line: Ended = {
    ...{ url, state, openedAt: entry.openedAt || (pull?.createdAt ?? edit.time) },
    endedAt: pull?.endedAt || edit.time,
    ...{ isEditedByOthers: entry.isEditedByOthers, changes: entry.changes.length },
    followUps: entry.followUps.map(({ at }) => at),
  };
  const { open, ended } = edit.ledger;
  const all = [...ended.filter((it) => it.url !== url), line];
  const isKept = (it: Ended, at: number) =>
    edit.now - Date.parse(it.endedAt) < ENDED_KEPT || at >= all.length - LEAST_ENDED;
  edit.history.push(line);
  edit.change(
    { open: open.filter((it) => it.url !== url), ended: all.filter(isKept) },
    `${state === "merged" ? "Merged" : "Closed"}: ${url}`,
  );
}

/** Takes up what a run did, for each docs pull request that it had an intent for. */
export function takeResults(edit: LandEdit, run: string, results: readonly Result[]): void {
  for (const { url, sent, ended, entry: fields } of results) {
    const entry = edit.entry(url);
    if (entry?.intent?.run !== run) continue;
    const isSent = sent?.type === "accepted" || sent?.type === "uncertain";
    closeIntent(edit, url, isSent ? { isUncertain: sent.type === "uncertain" } : null);
    const isClosedToFollowUps = entry.isClosedToFollowUps || sent?.type === "refused";
    edit.changeEntry(url, { ...fields, isClosedToFollowUps });
    if (ended !== undefined) endPull(edit, url, ended);
  }
}
