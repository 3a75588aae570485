/** What became of a docs pull request. */

import {
  ABSENT,
  type Fact,
  known,
  mapFact,
  type Read,
  type Unread,
  valueOrNull,
} from "../../runtime/fact.ts";
import { pullRequestAt } from "../../text/link.ts";
import type { Connect } from "../api/connect.ts";
import { HistoryReader } from "./history-reader.ts";
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
  readonly history: HistoryReader;
  readonly pull: Pull;
}

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
  const history = new HistoryReader(await connect(), place.repository);
  return mapFact(await history.pull(place.number), (pull) => ({ history, pull }));
}

/** The state of a pull request by its link. @param serverUrl address of GitHub for people */
export async function readPullState(
  link: string,
  serverUrl: string,
  connect: Connect,
): Promise<Fact<PullState>> {
  const read = await readLinkedPull(link, serverUrl, connect);
  return mapFact(read, ({ pull }) => stateOfPull(pull));
}

/** Who closed a pull request; absent if GitHub does not say. */
export async function readCloser(
  link: string,
  serverUrl: string,
  connect: Connect,
): Promise<Fact<{ login: string; isBot: boolean }>> {
  const place = pullRequestAt(link, serverUrl);
  if (place === null) return ABSENT;
  const github = await connect();
  const read = await github.issues.get(place);
  if (read.type !== "known") return read;
  const { closed_by } = read.value;
  if (closed_by === null || closed_by === undefined) return ABSENT;
  return known({ login: closed_by.login, isBot: closed_by.type === "Bot" });
}

export function stateOfPull({ isOpen, mergedAt }: Pull): PullState {
  if (isOpen) return "open";
  return mergedAt === null ? "closed" : "merged";
}

/** The end of a pull request: two requests for one that was merged or closed, none for one that is open. */
export async function readPullEnd({ history, pull }: LinkedPull): Promise<Read<PullEnd>> {
  const state = stateOfPull(pull);
  if (state === "open") return known({ state, lastCommitAt: null, hasLaterCommits: null });
  const last = await history.commit(pull.head);
  if (isPassing(last)) return last;
  const later = await hasLaterCommits(history, pull);
  if (isPassing(later)) return later;
  const lastCommitAt = last.type === "known" ? last.value.committedAt : null;
  return known({ state, lastCommitAt, hasLaterCommits: valueOrNull(later) });
}

async function hasLaterCommits(history: HistoryReader, pull: Pull): Promise<Fact<boolean>> {
  if (pull.isFork) return ABSENT;
  const tip = await history.tip(pull.branch);
  // A branch that was deleted, and that nobody has pushed to since, has none.
  if (tip.type === "absent") return known(false);
  return mapFact(tip, (sha) => sha !== pull.head);
}

function isPassing(fact: Fact<unknown>): fact is Unread {
  return fact.type === "unread" && fact.isPassing;
}
