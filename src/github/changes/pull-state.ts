/** What became of a docs pull request. */

import type { Absent, Unread } from "../../runtime/fact.ts";
import { pullRequestAt } from "../../text/link.ts";
import type { Connect } from "../api/connect.ts";
import { HistoryReader } from "./history-reader.ts";
import type { Pull } from "./history-records.ts";

/**
 * `unread`: GitHub refuses to show it, or it is not on this GitHub. `unavailable`: GitHub failed, or set a limit, so
 * that a later run may read it.
 */
export type PullState = "open" | "merged" | "closed" | "unread" | "unavailable";

/** The state of a pull request, and its end. */
export interface PullEnd {
  state: PullState;
  /** When its last commit was made, ISO 8601, if it was merged or closed; null if unknown. */
  lastCommitAt: string | null;
  /** Whether its branch has commits that came too late for it, if it was merged or closed; null if unknown. */
  hasLaterCommits: boolean | null;
}

/** The state of a pull request by its link. @param serverUrl address of GitHub for people */
export async function readPullState(
  link: string,
  serverUrl: string,
  connect: Connect,
): Promise<PullState> {
  return (await readPull(link, serverUrl, connect)).state;
}

/** The same, with two further requests for one that was merged or closed. */
export async function readPullEnd(
  link: string,
  serverUrl: string,
  connect: Connect,
): Promise<PullEnd> {
  const read = await readPull(link, serverUrl, connect);
  const { state } = read;
  if (!("pull" in read) || state === "open") {
    return { state, lastCommitAt: null, hasLaterCommits: null };
  }
  const { history, pull } = read;
  const last = await history.commit(pull.head);
  const lastCommitAt = last.type === "known" ? last.value.committedAt : null;
  return { state, lastCommitAt, hasLaterCommits: await hasLaterCommits(history, pull) };
}

async function readPull(link: string, serverUrl: string, connect: Connect): Promise<ReadPull> {
  const place = pullRequestAt(link, serverUrl);
  if (place === null) return { state: "unread" };
  const history = new HistoryReader(await connect(), place.repository);
  const fact = await history.pull(place.number);
  if (fact.type !== "known") return { state: isFinal(fact) ? "unread" : "unavailable" };
  const pull = fact.value;
  const end = pull.mergedAt === null ? "closed" : "merged";
  return { state: pull.isOpen ? "open" : end, history, pull };
}

type ReadPull =
  | { state: "unread" | "unavailable" }
  | { state: "open" | "merged" | "closed"; history: HistoryReader; pull: Pull };

/** A request that a signal interrupted says nothing about the pull request. */
function isFinal(fact: Absent | Unread): boolean {
  return fact.type === "absent" || (fact.cause === "refused" && !fact.isPassing);
}

async function hasLaterCommits(history: HistoryReader, pull: Pull): Promise<boolean | null> {
  if (pull.isFork) return null;
  const tip = await history.tip(pull.branch);
  // A branch that was deleted, and that nobody has pushed to since, has none.
  if (tip.type === "absent") return false;
  return tip.type === "known" ? tip.value !== pull.head : null;
}
