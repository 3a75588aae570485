/** Asks questions of GraphQL together, in one request, so that each gets its own answer. */

import { isLastingError, TOO_COSTLY } from "./explain.ts";
import type { GitHubFailure, GraphqlError, PartError } from "./failure.ts";
import type { Question } from "./route.ts";

type Fields = Readonly<Record<string, unknown>>;

/** GitHub's answer to a query. */
export type QueryAnswer =
  | { readonly type: "answered"; readonly data: Fields; readonly errors: readonly PartError[] }
  | { readonly type: "failed"; readonly failure: GitHubFailure };

export interface Queries {
  send(query: string, variables: Fields): Promise<QueryAnswer>;
  /** Waits before a question is repeated. */
  pause(): Promise<void>;
}

/** A question that is not answered yet. */
interface Waiting {
  readonly values: Fields;
  answer(answer: QueryAnswer): void;
  fail(mistake: unknown): void;
}

/** After so many questions that failed alone, the others of the same moment are not asked alone. */
const MOST_ALONE = 2;

/**
 * Returns what asks a question. Those of the same moment are asked in one request.
 *
 * A query that GitHub fails to answer, or that costs it too much, is asked again in halves. Data beside errors counts
 * only if every error is lasting and names a part of one of the questions.
 *
 * @param most the maximum number of questions in one request
 */
export function questionBatcher(
  question: Question,
  most: number,
  queries: Queries,
): (values: Fields) => Promise<QueryAnswer> {
  let waiting: Waiting[] = [];
  const askWaiting = () => {
    const all = waiting;
    waiting = [];
    for (let at = 0; at < all.length; at += most) {
      const group = all.slice(at, at + most);
      new Batch(question, queries).ask(group).catch((mistake: unknown) => {
        for (const one of group) one.fail(mistake);
      });
    }
  };
  return (values) =>
    new Promise((answer, fail) => {
      if (waiting.length === 0) queueMicrotask(askWaiting);
      waiting.push({ values, answer, fail });
    });
}

class Batch {
  readonly #question: Question;
  readonly #queries: Queries;
  /** The failures of questions that were asked alone. */
  readonly #alone: QueryAnswer[] = [];

  constructor(question: Question, queries: Queries) {
    this.#question = question;
    this.#queries = queries;
  }

  async ask(group: readonly Waiting[], isRepeated = false): Promise<void> {
    const last = this.#alone[MOST_ALONE - 1];
    const answer = last ?? (await this.#send(group));
    if (answer.type === "answered") {
      const prefixes = prefixesOf(group);
      for (const [nth, one] of group.entries()) one.answer(partOf(answer, prefixes[nth] ?? ""));
      return;
    }
    const isWorthMore = last === undefined && this.#mayBeAnswered(answer.failure);
    if (isWorthMore && group.length > 1) {
      const half = Math.ceil(group.length / 2);
      await this.ask(group.slice(0, half));
      return await this.ask(group.slice(half));
    }
    if (isWorthMore && !isRepeated && !isTooCostly(answer.failure)) {
      await this.#queries.pause();
      return await this.ask(group, true);
    }
    if (group.length === 1) this.#alone.push(answer);
    for (const one of group) one.answer(answer);
  }

  async #send(group: readonly Waiting[]): Promise<QueryAnswer> {
    const prefixes = prefixesOf(group);
    const parts = prefixes.map((prefix) => partOfQuery(this.#question, prefix));
    const values = group.flatMap((one, nth) => prefixed(one.values, prefixes[nth] ?? ""));
    const query = queryOf(parts, this.#question);
    const answer = await this.#queries.send(query, Object.fromEntries(values));
    if (answer.type === "failed") return answer;
    const { errors } = answer;
    const isOfParts = errors.every((error) => isLastingError(error) && this.#isOfPart(error));
    return isOfParts ? answer : { type: "failed", failure: { type: "graphql", errors } };
  }

  /** Whether the same questions may be answered if they are asked again, or in smaller queries. */
  #mayBeAnswered(failure: GitHubFailure): boolean {
    switch (failure.type) {
      case "unanswered":
        return failure.error.reason !== "stopped";
      case "unusable":
        return false;
      case "refused":
        return failure.status >= 500;
      case "graphql":
        // An error about the query itself, such as a field that an older server does not know, stays.
        return (
          failure.errors.every((error) => !Array.isArray(error.path) || this.#isOfPart(error)) &&
          !failure.errors.every(isLastingError)
        );
    }
  }

  #isOfPart({ path }: GraphqlError): boolean {
    const [root]: unknown[] = Array.isArray(path) ? path : [];
    const names = Object.keys(this.#question.fields((name) => name));
    return typeof root === "string" && names.includes(root.replace(PREFIX, ""));
  }
}

const PREFIX = /^q\d+_/;

function isTooCostly(failure: GitHubFailure): boolean {
  return failure.type === "graphql" && failure.errors.some(({ type }) => type === TOO_COSTLY);
}

/** With it, the variables and root fields of several questions have different names. */
function prefixesOf(group: readonly unknown[]): string[] {
  return group.map((_, nth) => (group.length === 1 ? "" : `q${nth}_`));
}

function prefixed(fields: Fields, prefix: string): [string, unknown][] {
  return Object.entries(fields).map(([name, value]) => [`${prefix}${name}`, value]);
}

/** A question as a part of a query. */
function partOfQuery<V extends string>(question: Question<V>, prefix: string) {
  const types = Object.entries<string>(question.variables);
  const fields = Object.entries(question.fields((name) => `$${prefix}${name}`));
  return {
    declarations: types.map(([name, type]) => `$${prefix}${name}: ${type}`).join(", "),
    fields: fields.map(([name, field]) => `  ${prefix}${name}: ${field}`).join("\n"),
  };
}

/** The query that asks one question. */
export function singleQuery<V extends string>(question: Question<V>): string {
  return queryOf([partOfQuery(question, "")], question);
}

function queryOf(
  parts: readonly ReturnType<typeof partOfQuery>[],
  { fragments }: { fragments: string },
): string {
  const declarations = parts.map((part) => part.declarations).join(", ");
  const fields = parts.map((part) => part.fields).join("\n");
  const variables = declarations === "" ? "" : ` (${declarations})`;
  return `query${variables} {\n${fields}\n}\n${fragments}`;
}

/** What a joint answer says to one of its questions. */
function partOf(answer: Extract<QueryAnswer, { type: "answered" }>, prefix: string): QueryAnswer {
  const own = Object.entries(answer.data).filter(([name]) => name.startsWith(prefix));
  const data = own.map(([name, value]) => [name.slice(prefix.length), value]);
  const errors = answer.errors.flatMap((error) => {
    const [root, ...rest] = error.path ?? [];
    if (typeof root !== "string" || !root.startsWith(prefix)) return [];
    return { ...error, path: [root.slice(prefix.length), ...rest] };
  });
  return { type: "answered", data: Object.fromEntries(data), errors };
}
