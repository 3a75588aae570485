/** Since when a docs pull request waits, whose it is by now, and since when nothing has happened to it. Pure. */

import type { DocsPull } from "../github/changes/docs-pull.ts";
import { timeText } from "../ledger/file.ts";
import type { Waiter } from "../runtime/reason.ts";
import { minuteText } from "../text/sentence.ts";
import type { PullEntry } from "./ledger.ts";
import {
  LAND_REASONS,
  type LandReason,
  type LandReasonCode,
  longestWait,
  reasonText,
} from "./reasons.ts";

/** Nothing is done. */
export interface LandWait {
  readonly type: "wait";
  readonly reason: LandReason;
  /** A person, if it takes longer than the table of reasons allows. */
  readonly waitsFor: Waiter;
  /** ISO 8601. */
  readonly since: string;
  /** Whether its reviewers are reminded. */
  readonly isReminder: boolean;
}

/** Nothing is closed because of what could not be read, or what is not land's to look after. */
const NEVER_CLOSED: readonly LandReasonCode[] = [
  "elsewhere",
  "by-person",
  "on-hold",
  "job-other-pull",
  "job-forgotten",
  "unread",
  "reviews-unread",
  "files-unlisted",
  "too-many-checks",
  "too-many-runs",
  "checks-unreadable",
];

/**
 * @param waiting what the docs pull request waited for before; null for nothing
 * @param now GitHub's time, in milliseconds since 1970
 */
export function waitFor(reason: LandReason, waiting: PullEntry["waiting"], now: number): LandWait {
  const { code } = reason;
  const { waitsFor, longest } = LAND_REASONS[code];
  const since = waiting !== null && isSameWait(waiting.code, code) ? waiting.from : timeText(now);
  const isOver = longest !== null && now - Date.parse(since) >= longest;
  return {
    type: "wait",
    reason,
    waitsFor: isOver ? "person" : waitsFor,
    since,
    isReminder: false,
  };
}

/** Waits with the same limit count as one: what GitHub fails to say may be another thing in each run. */
function isSameWait(code: LandReasonCode, other: LandReasonCode): boolean {
  const { waitsFor, longest } = LAND_REASONS[code];
  const isAlike = waitsFor === LAND_REASONS[other].waitsFor && longest !== null;
  return code === other || (isAlike && longest === LAND_REASONS[other].longest);
}

/** What is said of a wait. */
export function waitText({ reason, waitsFor, since }: LandWait): string {
  const text = reasonText(reason);
  const kind = LAND_REASONS[reason.code];
  if (waitsFor === kind.waitsFor) return text;
  return `${text} This has lasted since ${minuteText(Date.parse(since))}, which is too long. ${kind.wayOut}`;
}

/** Why an act did not work out that is tried again. */
export type UndoneCode = "not-done" | "job-busy";

/** Whether it waits for an act that did not work out to be done. */
export function isUndone(
  waiting: PullEntry["waiting"],
): waiting is { readonly code: UndoneCode; readonly from: string } {
  return waiting?.code === "not-done" || waiting?.code === "job-busy";
}

/** Whether its job has been busy for too long. Whatever happens on the pull request begins that time anew. */
export function isBusyTooLong(
  { lastActivityAt }: DocsPull,
  { waiting, headAt }: PullEntry,
  now: number,
): boolean {
  if (waiting?.code !== "job-busy") return false;
  const times = [waiting.from, headAt, lastActivityAt ?? headAt].map((time) => Date.parse(time));
  return now - Math.max(...times) >= longestWait("job-busy");
}

/** Whether a wait may be ended by closing the docs pull request: only people keep it open. */
export function isForPeople({ reason: { code }, waitsFor }: LandWait): boolean {
  const others = ["github", "service", "code"];
  const isPeoples = waitsFor === "reviewer" || waitsFor === "person";
  return isPeoples && !others.includes(LAND_REASONS[code].waitsFor) && !NEVER_CLOSED.includes(code);
}

/**
 * An entry with what its docs pull request waits for from now on. The time in which it did not wait for people makes it
 * no older.
 *
 * @param wait null if something is done about it
 */
export function withWait(
  entry: PullEntry,
  pull: DocsPull | null,
  wait: LandWait | null,
  now: number,
): PullEntry {
  const { waiting: before } = entry;
  const waiting = wait === null ? null : { code: wait.reason.code, from: wait.since };
  const isOver = before !== null && before.from !== waiting?.from;
  if (!isOver || isPeoples(before.code)) return { ...entry, waiting };
  const idle = idleFrom(pull, entry);
  const passed = now - Math.max(Date.parse(before.from), idle);
  return { ...entry, waiting, idleFrom: timeText(idle + passed) };
}

function isPeoples(code: LandReasonCode): boolean {
  const { waitsFor } = LAND_REASONS[code];
  return (waitsFor === "reviewer" || waitsFor === "person") && !NEVER_CLOSED.includes(code);
}

/**
 * Since when nothing has happened to it, though people could have done something, in milliseconds since 1970.
 */
export function idleFrom(pull: DocsPull | null, entry: PullEntry): number {
  const { foundAt, headAt, followUps } = entry;
  const pushes = headAt === foundAt ? [] : [headAt];
  const sent = followUps.map(({ at }) => at);
  const times = [pull?.createdAt, pull?.lastActivityAt, entry.idleFrom, ...pushes, ...sent];
  return Math.max(0, ...times.map((time) => Date.parse(time ?? "") || 0));
}
