/** What decides about a hand-over, read with one query right before it. */

import * as z from "zod/mini";
import type { Fact, Unread } from "../../runtime/fact.ts";
import { readAnswer } from "../api/answer.ts";
import type { Connect } from "../api/connect.ts";
import { isLastingError } from "../api/explain.ts";
import { partialAnswerOf } from "../api/failure.ts";
import { readFact } from "../api/read-fact.ts";
import type { ReadingClient } from "../api/repository.ts";
import type { Visibility } from "./history-records.ts";
import type { PullState } from "./pull-state.ts";

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

export async function readPresent(
  connect: Connect,
  question: PresentQuestion,
): Promise<Fact<PresentState>> {
  const pulls = [...question.changes, ...(question.docsPull === null ? [] : [question.docsPull])];
  const names = [
    ...new Set([...question.repositories, ...pulls.map(({ repository }) => repository)]),
  ];
  const aliasOf = (repository: string) => `r${names.indexOf(repository)}`;
  const read = await readFact(async () => {
    return await ask(await connect(), names, pulls);
  }, ["pull-requests: read"]);
  if (read.type !== "known") return read;
  const { value: answers } = read;
  const repositoryAt = (repository: string) => answers[aliasOf(repository)] ?? null;
  const pullAt = ({ repository, number }: PullPlace) => {
    return pullAnswer.safeParse(repositoryAt(repository)?.[`p${number}`]).data ?? null;
  };
  const docsPull = question.docsPull === null ? null : pullAt(question.docsPull);
  const state: PresentState = {
    visibility: (repository) => {
      const found = repositoryAt(repository);
      return found === null ? UNSAID : { type: "known", value: VISIBILITIES[found.visibility] };
    },
    labels: (change) => {
      const nodes = pullAt(change)?.labels?.nodes ?? null;
      if (nodes === null) return UNSAID;
      return { type: "known", value: nodes.flatMap((label) => label?.name ?? []) };
    },
    docsPull: stateFact(question.docsPull, docsPull),
  };
  return { type: "known", value: state };
}

function stateFact(
  place: PullPlace | null,
  pull: z.infer<typeof pullAnswer> | null,
): Fact<PullState> {
  if (place === null) return { type: "absent" };
  return pull === null ? UNSAID : { type: "known", value: STATES[pull.state] };
}

/** @throws the client's errors, or `UnusableAnswer` */
async function ask(
  github: ReadingClient,
  names: readonly string[],
  pulls: readonly PullPlace[],
): Promise<z.infer<typeof answer>> {
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
    return readAnswer(answer, await github.graphql(query, variables));
  } catch (error) {
    // What GitHub cannot resolve is null.
    const partial = partialAnswerOf(error);
    const known = answer.safeParse(partial?.data);
    if (partial === null || !known.success || !partial.errors.every(isLastingError)) throw error;
    return known.data;
  }
}
