/** What became of a docs pull request. */

import { pullRequestAt } from "../../text/link.ts";
import type { Connect } from "../api/connect.ts";
import { explainRefusal, isFinal, type TokenPermissions } from "../api/refusal.ts";
import { History } from "./history.ts";
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

const PERMISSIONS: TokenPermissions = ["pull-requests: read"];

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
  const last = await answerOf(() => history.commit(pull.head));
  const lastCommitAt = "answer" in last ? (last.answer?.committedAt ?? null) : null;
  return { state, lastCommitAt, hasLaterCommits: await hasLaterCommits(history, pull) };
}

async function readPull(link: string, serverUrl: string, connect: Connect): Promise<ReadPull> {
  const place = pullRequestAt(link, serverUrl);
  if (place === null) return { state: "unread" };
  const history = new History(await connect(), place.repository);
  const read = await answerOf(() => history.pull(place.number));
  if ("isPassing" in read) return { state: read.isPassing ? "unavailable" : "unread" };
  const pull = read.answer;
  const end = pull.mergedAt === null ? "closed" : "merged";
  return { state: pull.isOpen ? "open" : end, history, pull };
}

type ReadPull =
  | { state: "unread" | "unavailable" }
  | { state: "open" | "merged" | "closed"; history: History; pull: Pull };

async function hasLaterCommits(history: History, pull: Pull): Promise<boolean | null> {
  if (pull.isFork) return null;
  const tip = await answerOf(() => history.tip(pull.branch));
  if ("isPassing" in tip) return null;
  // A branch that was deleted, and that nobody has pushed to since, has none.
  return tip.answer !== undefined && tip.answer !== pull.head;
}

/** An answer of GitHub, or whether it may come later. */
async function answerOf<T>(ask: () => Promise<T>): Promise<{ answer: T } | { isPassing: boolean }> {
  try {
    return { answer: await ask() };
  } catch (error) {
    // A request that a signal interrupted says nothing about the pull request.
    return { isPassing: !isFinal(explainRefusal(error, PERMISSIONS)) };
  }
}
