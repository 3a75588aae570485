/** What became of a docs pull request. */

import type { Fact } from "../../runtime/fact.ts";
import { pullRequestAt } from "../../text/link.ts";
import type { Connect } from "../api/connect.ts";
import { readFact } from "../api/read-fact.ts";
import type { TokenPermissions } from "../api/refusal.ts";
import { History } from "./history.ts";
import type { Pull } from "./history-records.ts";

export type PullState = "open" | "merged" | "closed";

/** The state of a pull request, and its end. */
export interface PullEnd {
  state: PullState;
  /** When its last commit was made, ISO 8601, if it was merged or closed; null if unknown. */
  lastCommitAt: string | null;
  /** Whether its branch has commits that came too late for it, if it was merged or closed; null if unknown. */
  hasLaterCommits: boolean | null;
}

/** A pull request by its link, and what reads more of its repository. */
export interface LinkedPull {
  readonly history: History;
  readonly pull: Pull;
}

const PERMISSIONS: TokenPermissions = ["pull-requests: read"];

/** @param serverUrl address of GitHub for people */
export async function readLinkedPull(
  link: string,
  serverUrl: string,
  connect: Connect,
): Promise<Fact<LinkedPull>> {
  const place = pullRequestAt(link, serverUrl);
  if (place === null) {
    const reason = "it is not on this GitHub";
    return { type: "unread", cause: "unusable", reason, isPassing: false, status: null };
  }
  return await readFact(async () => {
    const history = new History(await connect(), place.repository);
    return { history, pull: await history.pull(place.number) };
  }, PERMISSIONS);
}

/** The state of a pull request by its link. @param serverUrl address of GitHub for people */
export async function readPullState(
  link: string,
  serverUrl: string,
  connect: Connect,
): Promise<Fact<PullState>> {
  const read = await readLinkedPull(link, serverUrl, connect);
  return read.type === "known" ? { type: "known", value: stateOfPull(read.value.pull) } : read;
}

export function stateOfPull({ isOpen, mergedAt }: Pull): PullState {
  if (isOpen) return "open";
  return mergedAt === null ? "closed" : "merged";
}

/** The end of a pull request: two requests for one that was merged or closed, none for one that is open. */
export async function readPullEnd({ history, pull }: LinkedPull): Promise<PullEnd> {
  const state = stateOfPull(pull);
  if (state === "open") return { state, lastCommitAt: null, hasLaterCommits: null };
  const last = await readFact(() => history.commit(pull.head), PERMISSIONS);
  const lastCommitAt = last.type === "known" ? (last.value?.committedAt ?? null) : null;
  return { state, lastCommitAt, hasLaterCommits: await hasLaterCommits(history, pull) };
}

async function hasLaterCommits(history: History, pull: Pull): Promise<boolean | null> {
  if (pull.isFork) return null;
  const tip = await readFact(() => history.tip(pull.branch), PERMISSIONS);
  if (tip.type !== "known") return null;
  // A branch that was deleted, and that nobody has pushed to since, has none.
  return tip.value !== undefined && tip.value !== pull.head;
}
