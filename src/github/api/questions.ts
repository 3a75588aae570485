/** Questions of GraphQL that can be asked together, in one request, so that each gets its own answer. */

import * as z from "zod/mini";
import { readAnswer } from "./answer.ts";
import { isLastingError } from "./explain.ts";
import { failureOf, type PartError, PartFailure, partialAnswerOf } from "./failure.ts";
import { isOfGitHub, statusOf } from "./refusal.ts";
import type { ReadingClient } from "./repository.ts";
import type { Question } from "./route.ts";

export type { Question } from "./route.ts";

/** Asks questions. @throws the client's errors, or {@link PartFailure} */
export interface Asker {
  ask<V extends string>(
    question: Question<V>,
    values: Readonly<Record<V, unknown>>,
  ): Promise<unknown>;
}

type Client = Pick<ReadingClient, "graphql">;
type Fields = Readonly<Record<string, unknown>>;

/** Asks each question in a request of its own. */
export function singly(github: Client): Asker {
  return { ask: (question, values) => github.graphql(singleQuery(question), values) };
}

/** The query that asks one question. */
export function singleQuery<V extends string>(question: Question<V>): string {
  return queryOf([partOf(question, "")], question);
}

/** A question that is not answered yet. */
interface Waiting {
  readonly question: Question;
  readonly values: Fields;
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/**
 * Asks the same questions of the same moment together. What fails in passing is asked once more, by itself.
 *
 * @param most the maximum number of questions in one request
 */
export function together(github: Client, most: number): Asker {
  let waiting: Waiting[] = [];
  const askWaiting = () => {
    const groups = Map.groupBy(waiting, ({ question }) => question);
    waiting = [];
    for (const [question, group] of groups) {
      for (let at = 0; at < group.length; at += most) {
        void askTogether(github, question, group.slice(at, at + most));
      }
    }
  };
  return {
    ask: (question, values) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) queueMicrotask(askWaiting);
        waiting.push({ question, values, resolve, reject });
      }),
  };
}

type Outcome =
  | { type: "answered"; data: Fields; errors: readonly PartError[] }
  | { type: "failed"; error: unknown };

async function askTogether(
  github: Client,
  question: Question,
  asked: readonly Waiting[],
  isRepeated = false,
): Promise<void> {
  const outcome = await answerOf(github, question, asked);
  for (const [nth, waiting] of asked.entries()) {
    const { resolve, reject } = waiting;
    const own = partOfAnswer(outcome, nth);
    if (own.type === "answered" && own.errors.length === 0) resolve(own.data);
    else if (!isRepeated && isPassing(own)) await askTogether(github, question, [waiting], true);
    else reject(own.type === "failed" ? own.error : new PartFailure(own.errors, own.data));
  }
}

const answerFields = z.record(z.string(), z.unknown());

async function answerOf(
  github: Client,
  question: Question,
  asked: readonly Waiting[],
): Promise<Outcome> {
  try {
    const parts = asked.map((_, nth) => partOf(question, prefixOf(nth)));
    const values = asked.flatMap((waiting, nth) => prefixed(waiting.values, prefixOf(nth)));
    const answer = await github.graphql(queryOf(parts, question), Object.fromEntries(values));
    return { type: "answered", data: readAnswer(answerFields, answer), errors: [] };
  } catch (error) {
    const partial = partialAnswerOf(error);
    const isOfPart = ({ path }: PartError) => typeof path?.[0] === "string";
    if (partial === null || !partial.errors.every(isOfPart)) return { type: "failed", error };
    return { type: "answered", ...partial };
  }
}

/** Whether GitHub failed, or did not answer. A rate limit affects all further questions, too. */
function isPassing(outcome: Outcome): boolean {
  if (outcome.type === "answered") {
    return outcome.errors.some((error) => !isLastingError(error));
  }
  const { error } = outcome;
  const isGraphql = failureOf(error)?.type === "graphql";
  return isOfGitHub(error) && !isGraphql && (statusOf(error) === 0 || statusOf(error) >= 500);
}

/** With it, the variables and root fields of several questions have different names. */
function prefixOf(nth: number): string {
  return `q${nth}_`;
}

function prefixed(fields: Fields, prefix: string): [string, unknown][] {
  return Object.entries(fields).map(([name, value]) => [`${prefix}${name}`, value]);
}

/** A question's part of a query. */
interface QueryPart {
  readonly declarations: string;
  readonly fields: string;
}

function partOf<V extends string>(question: Question<V>, prefix: string): QueryPart {
  const types = Object.entries<string>(question.variables);
  const fields = Object.entries(question.fields((name) => `$${prefix}${name}`));
  return {
    declarations: types.map(([name, type]) => `$${prefix}${name}: ${type}`).join(", "),
    fields: fields.map(([name, field]) => `  ${prefix}${name}: ${field}`).join("\n"),
  };
}

function queryOf(parts: readonly QueryPart[], { fragments }: Pick<Question, "fragments">): string {
  const declarations = parts.map((part) => part.declarations).join(", ");
  const fields = parts.map((part) => part.fields).join("\n");
  return `query (${declarations}) {\n${fields}\n}\n${fragments}`;
}

/** What a joint answer says to one of its questions. */
function partOfAnswer(outcome: Outcome, nth: number): Outcome {
  if (outcome.type === "failed") return outcome;
  const prefix = prefixOf(nth);
  const own = Object.entries(outcome.data).filter(([name]) => name.startsWith(prefix));
  const data = own.map(([name, value]) => [name.slice(prefix.length), value]);
  const errors = outcome.errors.flatMap((error) => {
    const [root, ...rest] = error.path ?? [];
    if (typeof root !== "string" || !root.startsWith(prefix)) return [];
    return { ...error, path: [root.slice(prefix.length), ...rest] };
  });
  return { type: "answered", data: Object.fromEntries(data), errors };
}
