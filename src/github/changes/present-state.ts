/** What decides about a hand-over, read with one query right before it. */

import type * as z from "zod/mini";
import { ABSENT, type Fact, known, mapFact, type Unread } from "../../runtime/fact.ts";
import type * as questionAnswers from "../api/answers/questions.ts";
import type { GitHub } from "../api/client.ts";
import type { Connect } from "../api/connect.ts";
import { HistoryReader } from "./history-reader.ts";
import type { Visibility } from "./history-records.ts";
import { type PullState, stateOfPull } from "./pull-state.ts";

/** A pull request by its number. */
interface PullPlace {
  readonly repository: string;
  readonly number: number;
}

export interface PresentQuestion {
  /** Repositories whose visibility and ID are asked for, as `owner/name`. */
  readonly repositories: readonly string[];
  /** Merged pull requests whose labels are asked for. */
  readonly changes: readonly PullPlace[];
  /** A docs pull request whose state is asked for; null for none. */
  readonly docsPull: PullPlace | null;
}

/** A repository as a name leads to it now. */
interface PresentRepository {
  /** Null if GitHub does not say it. */
  readonly id: number | null;
  readonly visibility: Visibility | null;
}

export interface PresentState {
  repository(name: string): Fact<PresentRepository>;
  labels(change: PullPlace): Fact<readonly string[]>;
  /** Absent if none was asked for. */
  readonly docsPull: Fact<PullState>;
}

const VISIBILITIES = { PUBLIC: "public", INTERNAL: "internal", PRIVATE: "private" } as const;
const STATES = { OPEN: "open", CLOSED: "closed", MERGED: "merged" } as const;

/** What GitHub did not say, although it answered: it refuses that, or does not have it. */
const UNSAID: Unread = {
  type: "unread",
  cause: "refused",
  reason: "GitHub does not show it",
  isPassing: false,
  status: null,
};

/** One request; more of them, to REST, only if GitHub fails to answer a part of it. */
export async function readPresent(
  connect: Connect,
  { repositories, changes, docsPull }: PresentQuestion,
): Promise<Fact<PresentState>> {
  const pulls = [...changes, ...(docsPull === null ? [] : [docsPull])];
  const names = pulls.map(({ repository }) => repository);
  const without = new Set(repositories.filter((name) => !names.includes(name)));
  const github = await connect();
  const [alone, withPulls] = await Promise.all([
    Promise.all([...without].map((repository) => ask(github, repository, null))),
    Promise.all(pulls.map(({ repository, number }) => ask(github, repository, number))),
  ]);
  const shown = new Map<string, Fact<PresentRepository>>();
  for (const { repository, fact } of [...alone, ...withPulls]) {
    if (shown.get(repository)?.type !== "known") shown.set(repository, repositoryIn(fact));
  }
  for (const name of repositories) {
    const fact = shown.get(name) ?? UNSAID;
    if (fact.type === "known" || isLimit(fact)) continue;
    shown.set(name, await readRepository(github, name));
  }
  const found = new Map<string, ReturnType<typeof pullIn>>();
  for (const { repository, number, fact } of withPulls) {
    const pull = isUnanswered(fact) ? await readAlone(github, repository, number) : pullIn(fact);
    found.set(keyOf({ repository, number }), pull);
  }
  const facts = [...alone, ...withPulls].map(({ fact }) => fact);
  const failed = facts.find(({ type }) => type !== "known");
  const isAnyKnown = [...facts, ...found.values()].some(({ type }) => type === "known");
  if (failed !== undefined && failed.type !== "known" && !isAnyKnown) return failed;
  const pullAt = (place: PullPlace) => found.get(keyOf(place)) ?? UNSAID;
  return known({
    repository: (name) => shown.get(name) ?? UNSAID,
    labels: (change) => mapFact(pullAt(change), ({ labels }) => labels),
    docsPull: docsPull === null ? ABSENT : mapFact(pullAt(docsPull), ({ state }) => state),
  });
}

function keyOf({ repository, number }: PullPlace): string {
  return `${repository}#${number}`;
}

/** What GitHub says of a repository, and of one of its pull requests, if there is a number. */
async function ask<N extends number | null>(github: GitHub, repository: string, number: N) {
  const pull = { number: number ?? 0, isPull: number !== null };
  const fact = await github.repositories.withPull({ repository, ...pull });
  return { repository, number, fact: mapFact(fact, ({ data }) => data.repository) };
}

function repositoryIn(
  fact: Fact<z.infer<typeof questionAnswers.repositoryWithPull>["repository"]>,
): Fact<PresentRepository> {
  if (fact.type !== "known") return fact;
  if (fact.value === null) return UNSAID;
  const { databaseId, visibility } = fact.value;
  return known({ id: databaseId ?? null, visibility: VISIBILITIES[visibility] });
}

async function readRepository(github: GitHub, name: string): Promise<Fact<PresentRepository>> {
  const facts = await new HistoryReader(github, name).facts();
  return mapFact(facts, ({ id, visibility }) => ({ id, visibility }));
}

function pullIn(
  fact: Fact<z.infer<typeof questionAnswers.repositoryWithPull>["repository"]>,
): Fact<{ state: PullState; labels: readonly string[] }> {
  if (fact.type !== "known") return fact;
  const { labels, state } = fact.value?.pullRequest ?? { labels: null };
  if (labels === null || labels === undefined || state === undefined) return UNSAID;
  return known({ state: STATES[state], labels: labels.nodes.flatMap((it) => it?.name ?? []) });
}

/** GraphQL may fail each time: for a pull request of a hidden author, behind a proxy, or on an older server. */
function isUnanswered(fact: Fact<unknown>): boolean {
  return fact.type === "unread" && fact.isPassing && !isLimit(fact);
}

function isLimit(fact: Fact<unknown>): boolean {
  return fact.type === "unread" && fact.cause === "limited" && fact.status !== null;
}

async function readAlone(
  github: GitHub,
  repository: string,
  number: number,
): Promise<ReturnType<typeof pullIn>> {
  const pull = await new HistoryReader(github, repository).pull(number);
  return mapFact(pull, (read) => ({ state: stateOfPull(read), labels: read.labels }));
}
