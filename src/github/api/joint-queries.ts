/** Asks several GraphQL questions in one request, and gives each who asked their own answer. */

import * as z from "zod/mini";
import { readAnswer, textOrEmpty } from "./answer.ts";
import { type PartError, PartFailure } from "./failure.ts";
import { isLastingError, isOfGitHub, statusOf } from "./refusal.ts";
import type { ReadingClient } from "./repository.ts";

type Client = Pick<ReadingClient, "graphql">;

/** A question that is not answered yet. */
interface Question {
  readonly query: string;
  readonly variables: Record<string, unknown>;
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

type Fields = Record<string, unknown>;
const fields = z.record(z.string(), z.unknown());

const pathOrNull = z.pipe(
  z.nullish(z.array(z.union([z.string(), z.number()]))),
  z.transform((path) => path ?? null),
);

/** The client's error if GitHub refused a part of a query, or all of it. */
const graphqlFailure = z.object({
  /** Null if there is no answer at all. */
  data: z.nullish(fields),
  errors: z.array(
    z.object({
      type: textOrEmpty,
      message: textOrEmpty,
      path: pathOrNull,
    }),
  ),
});

/**
 * A client whose questions of the same moment are asked together. What fails in passing is asked once more, by itself.
 *
 * Queries begin with `query (VARIABLES) {`. Their root fields have no aliases, and their fragments no variables.
 *
 * @param most the maximum number of questions in one request
 */
export function jointQueries(github: Client, most: number): Client {
  let waiting: Question[] = [];
  const askWaiting = () => {
    const groups = Map.groupBy(waiting, ({ query }) => query);
    waiting = [];
    for (const group of groups.values()) {
      for (let at = 0; at < group.length; at += most) {
        void askTogether(github, group.slice(at, at + most));
      }
    }
  };
  return {
    graphql: (query, variables) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) queueMicrotask(askWaiting);
        waiting.push({ query, variables, resolve, reject });
      }),
  };
}

type Outcome =
  | { readonly type: "answered"; readonly data: Fields; readonly errors: readonly PartError[] }
  | { readonly type: "failed"; readonly error: unknown };

/** Never throws. */
async function askTogether(
  github: Client,
  questions: readonly Question[],
  isRepeated = false,
): Promise<void> {
  const outcome = await ask(github, questions);
  for (const [nth, question] of questions.entries()) {
    const { resolve, reject } = question;
    const own = ofQuestion(outcome, nth);
    if (own.type === "answered" && own.errors.length === 0) resolve(own.data);
    else if (!isRepeated && isPassing(own)) await askTogether(github, [question], true);
    else reject(own.type === "failed" ? own.error : new PartFailure(own.errors, own.data));
  }
}

async function ask(github: Client, questions: readonly Question[]): Promise<Outcome> {
  try {
    const { query, variables } = jointQuery(questions);
    const data = readAnswer(fields, await github.graphql(query, variables));
    return { type: "answered", data, errors: [] };
  } catch (error) {
    const { data, errors = [] } = graphqlFailure.safeParse(error).data ?? {};
    const isInPart = errors.every(({ path }) => typeof path?.[0] === "string");
    if (data === null || data === undefined || !isInPart) return { type: "failed", error };
    return { type: "answered", data, errors };
  }
}

/** Whether GitHub failed, or did not answer. A rate limit affects all further questions, too. */
function isPassing(outcome: Outcome): boolean {
  if (outcome.type === "answered") {
    return outcome.errors.some((error) => !isLastingError(error));
  }
  const { error } = outcome;
  const isGraphql = graphqlFailure.safeParse(error).success;
  return isOfGitHub(error) && !isGraphql && (statusOf(error) === 0 || statusOf(error) >= 500);
}

/** One query for all questions: each has variables and root fields of its own, by its number. */
function jointQuery(questions: readonly Question[]): { query: string; variables: Fields } {
  const [first] = questions;
  if (first === undefined) throw new Error("nothing was asked");
  const { declarations, body, fragments } = partsOf(first.query);
  const numbered = (text: string, nth: number) => text.replaceAll(/\$(\w+)/g, `$$$1_${nth}`);
  const all = questions.map((_, nth) => numbered(declarations, nth)).join(", ");
  const bodies = questions.map((_, nth) => withAliases(numbered(body, nth), nth)).join("\n");
  const variables = questions.flatMap((question, nth) =>
    Object.entries(question.variables).map(([name, value]) => [`${name}_${nth}`, value]),
  );
  return {
    query: `query (${all}) {${bodies}}${fragments}`,
    variables: Object.fromEntries(variables),
  };
}

function partsOf(query: string) {
  const [begin, declarations] = /^query \(([^)]*)\) \{/.exec(query) ?? [];
  if (begin === undefined || declarations === undefined)
    throw new Error("the query has no variables");
  let depth = 1;
  let end = begin.length;
  for (; depth > 0; end++) depth += query[end] === "{" ? 1 : query[end] === "}" ? -1 : 0;
  return {
    declarations: declarations.trim().replace(/,$/, ""),
    body: query.slice(begin.length, end - 1),
    fragments: query.slice(end),
  };
}

/** Names the root fields after the question: `repository(…)` becomes `q0_repository: repository(…)`. */
function withAliases(body: string, nth: number): string {
  let depth = 0;
  return body.replaceAll(/[{(]|[})]|[A-Za-z_]\w*/g, (part) => {
    if (/[{(]/.test(part)) depth++;
    else if (/[})]/.test(part)) depth--;
    else if (depth === 0) return `q${nth}_${part}: ${part}`;
    return part;
  });
}

/** What a joint answer says to one of its questions. */
function ofQuestion(outcome: Outcome, nth: number): Outcome {
  if (outcome.type === "failed") return outcome;
  const begin = `q${nth}_`;
  const withoutNumber = (name: string) => name.slice(begin.length);
  const own = Object.entries(outcome.data).filter(([name]) => name.startsWith(begin));
  const errors = outcome.errors.flatMap((error) => {
    const [root, ...rest] = error.path ?? [];
    if (typeof root !== "string" || !root.startsWith(begin)) return [];
    return { ...error, path: [withoutNumber(root), ...rest] };
  });
  const data = Object.fromEntries(own.map(([name, value]) => [withoutNumber(name), value]));
  return { type: "answered", data, errors };
}
