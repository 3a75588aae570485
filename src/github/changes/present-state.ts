/** What decides about a hand-over, read with one query right before it. */

import * as z from "zod/mini";
import { type Fact, mapFact, type Unread } from "../../runtime/fact.ts";
import { readAnswer } from "../api/answer.ts";
import type { GitHub } from "../api/client.ts";
import type { Connect } from "../api/connect.ts";
import { isLastingError } from "../api/explain.ts";
import { partialAnswerOf } from "../api/failure.ts";
import { readFact } from "../api/read-fact.ts";
import type { TokenPermissions } from "../api/refusal.ts";
import type { ReadingClient } from "../api/repository.ts";
import { HistoryReader } from "./history-reader.ts";
import type { Visibility } from "./history-records.ts";
import { type PullState, stateOfPull } from "./pull-state.ts";

/** A pull request by its number. */
interface PullPlace {
  readonly repository: string;
  readonly number: number;
}

export interface PresentQuestion {
  /** Repositories whose visibility is asked for, as `owner/name`. */
  readonly repositories: readonly string[];
  /** Merged pull requests whose labels are asked for. */
  readonly changes: readonly PullPlace[];
  /** A docs pull request whose state is asked for; null for none. */
  readonly docsPull: PullPlace | null;
}

export interface PresentState {
  visibility(repository: string): Fact<Visibility>;
  labels(change: PullPlace): Fact<readonly string[]>;
  /** Absent if none was asked for. */
  readonly docsPull: Fact<PullState>;
}

const pullAnswer = z.object({
  state: z.enum(["OPEN", "CLOSED", "MERGED"]),
  labels: z.nullish(z.object({ nodes: z.array(z.nullable(z.object({ name: z.string() }))) })),
});
const repositoryAnswer = z.catchall(
  z.object({ visibility: z.enum(["PUBLIC", "INTERNAL", "PRIVATE"]) }),
  z.unknown(),
);
const answer = z.record(z.string(), z.nullable(repositoryAnswer));

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

/** One request; one more for each pull request that the query cannot resolve now. */
export async function readPresent(
  connect: Connect,
  question: PresentQuestion,
): Promise<Fact<PresentState>> {
  const pulls = [...question.changes, ...(question.docsPull === null ? [] : [question.docsPull])];
  const names = new Set([...question.repositories, ...pulls.map(({ repository }) => repository)]);
  const github = await connect();
  const read = await readFact(() => ask(github, [...names], pulls), PERMISSIONS);
  if (read.type !== "known") return read;
  const { answers, isFinal } = read.value;
  const repositoryAt = (name: string) => answers[`r${[...names].indexOf(name)}`] ?? null;
  const found = new Map<string, Fact<FoundPull>>();
  for (const place of pulls) {
    const inQuery = repositoryAt(place.repository)?.[`p${place.number}`];
    const { data } = pullAnswer.safeParse(inQuery);
    const pull = data === undefined ? null : foundIn(data);
    found.set(keyOf(place), pull ?? (isFinal ? UNSAID : await readAlone(github, place)));
  }
  const pullAt = (place: PullPlace): Fact<FoundPull> => found.get(keyOf(place)) ?? UNSAID;
  const state: PresentState = {
    visibility: (name) => {
      const repository = repositoryAt(name);
      if (repository === null) return UNSAID;
      return { type: "known", value: VISIBILITIES[repository.visibility] };
    },
    labels: (change) => {
      const pull = pullAt(change);
      return pull.type === "known" ? { type: "known", value: pull.value.labels } : pull;
    },
    docsPull: stateFact(question.docsPull && pullAt(question.docsPull)),
  };
  return { type: "known", value: state };
}

/** What is asked about a pull request. */
interface FoundPull {
  readonly state: PullState;
  readonly labels: readonly string[];
}

const PERMISSIONS: TokenPermissions = ["pull-requests: read"];

function keyOf({ repository, number }: PullPlace): string {
  return `${repository}#${number}`;
}

/** Null if its labels are not all there. */
function foundIn({ state, labels }: z.infer<typeof pullAnswer>): Fact<FoundPull> | null {
  if (labels === null || labels === undefined) return null;
  const names = labels.nodes.flatMap((label) => label?.name ?? []);
  return { type: "known", value: { state: STATES[state], labels: names } };
}

/** For some pull requests, for example of a hidden author, GitHub's query fails each time. */
async function readAlone(github: GitHub, place: PullPlace): Promise<Fact<FoundPull>> {
  const pull = await new HistoryReader(github, place.repository).pull(place.number);
  return mapFact(pull, (read) => ({ state: stateOfPull(read), labels: read.labels }));
}

function stateFact(pull: Fact<FoundPull> | null): Fact<PullState> {
  if (pull === null) return { type: "absent" };
  return pull.type === "known" ? { type: "known", value: pull.value.state } : pull;
}

/** `isFinal`: GitHub would not say more another time. @throws the client's errors, or `UnusableAnswer` */
async function ask(
  github: ReadingClient,
  names: readonly string[],
  pulls: readonly PullPlace[],
): Promise<{ answers: z.infer<typeof answer>; isFinal: boolean }> {
  const variables: Record<string, string> = {};
  const fields = names.map((name, nth) => {
    const [owner = "", repository = ""] = name.split("/");
    variables[`owner${nth}`] = owner;
    variables[`name${nth}`] = repository;
    const numbers = new Set(
      pulls.filter((pull) => pull.repository === name).map((it) => it.number),
    );
    const own = [...numbers].map(
      (number) =>
        `p${number}: pullRequest(number: ${number}) { state labels(first: 100) { nodes { name } } }`,
    );
    return `r${nth}: repository(owner: $owner${nth}, name: $name${nth}) { visibility ${own.join(" ")} }`;
  });
  const declared = Object.keys(variables).map((variable) => `$${variable}: String!`);
  const query = `query (${declared.join(", ")}) {\n  ${fields.join("\n  ")}\n}`;
  try {
    const answers = readAnswer(answer, await github.graphql(query, variables));
    return { answers, isFinal: true };
  } catch (error) {
    // What GitHub cannot resolve is null.
    const partial = partialAnswerOf(error);
    const known = answer.safeParse(partial?.data);
    if (partial === null || !known.success || partial.errors.some(({ path }) => path === null)) {
      throw error;
    }
    return { answers: known.data, isFinal: partial.errors.every(isLastingError) };
  }
}
