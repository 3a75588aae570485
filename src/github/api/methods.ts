/** What the client's methods do, for each type of route. */

import * as z from "zod/mini";
import { ExchangeError, type HttpAnswer } from "../../net/http.ts";
import { ABSENT, type Fact, type Known, known, type Unread } from "../../runtime/fact.ts";
import { jsonIn, readAnswer, UnusableAnswer } from "./answer.ts";
import { deliveryOf, type Sent, type TokenPermissions, unreadOf } from "./explain.ts";
import { type GitHubFailure, type PartError, partErrors, wordsOfRefusal } from "./failure.ts";
import { type Queries, type QueryAnswer, questionBatcher } from "./graphql.ts";
import { type PagedList, type PagePlace, type PageSource, readBack, readList } from "./pages.ts";
import type { Asked, Requests } from "./requests.ts";
import type {
  FieldPath,
  ListRoute,
  MutationRoute,
  PartialRoute,
  QuestionRoute,
  ReadRoute,
  WriteRoute,
} from "./route.ts";
import { type Given, methodIn, placeOf } from "./route-path.ts";

type AnyRead = ReadRoute<string, string, unknown>;
type AnyList = ListRoute<string, string, unknown, unknown>;
type AnyQuestion = QuestionRoute<string, unknown> | PartialRoute<string, unknown>;

/** An answer with a good status, or why there is none. */
type Answer =
  | { readonly type: "answer"; readonly answer: HttpAnswer }
  | { readonly type: "failed"; readonly failure: GitHubFailure };

const JSON_TYPE = "application/vnd.github+json";
const RAW_TYPE = "application/vnd.github.raw+json";

/** An answer of which parts may be missing. */
export interface PartialAnswer<D> {
  readonly data: D;
  /** The parts that the token may not read, which are null in the data. */
  readonly lacking: readonly FieldPath[];
}

export interface ListOptions<D, T, K> {
  /** Maximum number of pages; default: the route's. */
  most?: number;
  /** Whether no further page is needed after this one. */
  isEnough?(page: D): boolean;
  /** What is kept of a page's entries; default: all. */
  keep?(items: readonly T[]): Promise<readonly K[]> | readonly K[];
}

/** The method of a route. */
export function methodOf(
  route:
    | AnyRead
    | AnyList
    | WriteRoute<string, string, unknown>
    | AnyQuestion
    | MutationRoute<string, unknown>,
  sender: Requests,
): unknown {
  switch (route.type) {
    case "read":
      return (given: Given) => readOne(route, given, sender);
    case "list":
      return listMethod(route, sender);
    case "write":
      return (given: Given) => writeOne(route, given, sender);
    case "question":
    case "partial":
      return questionMethod(route, sender);
    case "mutation":
      return (given: Given) => mutate(route, given, sender);
  }
}

async function readOne(route: AnyRead, given: Given, sender: Requests): Promise<Fact<unknown>> {
  const got = await get(route, given, {}, sender);
  if (got.type === "failed") return factOf(got.failure, route);
  return parsed(
    route.answer,
    route.format === "json" ? jsonIn(got.answer) : got.answer.text,
    route,
  );
}

function listMethod(route: AnyList, sender: Requests) {
  const request = (given: Given): PageSource<unknown, unknown> => ({
    ask: async (query) => {
      const got = await get(route, given, query, sender);
      if (got.type === "failed") return factOf(got.failure, route);
      const page = parsed(route.answer, jsonIn(got.answer), route);
      if (page.type !== "known") return page;
      return known({ data: page.value, link: got.answer.headers.link });
    },
    items: (page) => route.items(page),
    most: route.most,
  });
  const all = (
    given: Given,
    {
      most = route.most,
      isEnough = () => false,
      keep = (items) => items,
    }: ListOptions<unknown, unknown, unknown> = {},
  ): Promise<Fact<PagedList<unknown, unknown>>> =>
    readList({ ...request(given), most, isEnough, keep });
  all.back = (given: Given) => readBack(request(given));
  return all;
}

async function writeOne(
  route: WriteRoute<string, string, unknown>,
  given: Given,
  sender: Requests,
): Promise<Sent<unknown>> {
  const { path, rest } = placeOf(route.path, given);
  const { isRepeatable, isPatient } = route;
  const body = { ...route.fixed, ...rest };
  const method = methodIn(route.path);
  const sent = await answerTo(
    { method, path, body, accept: JSON_TYPE, isRepeatable, isPatient },
    sender,
  );
  if (sent.type === "failed") return deliveryOf(sent.failure, route.needs);
  return accepted(route, sent.answer.text === "" ? null : jsonIn(sent.answer));
}

/** The write was done, even if its answer cannot be read. */
function accepted(
  { answer, needs }: WriteRoute<string, string, unknown> | MutationRoute<string, unknown>,
  data: unknown,
): Sent<unknown> {
  const fact = parsed(answer, data, { needs });
  if (fact.type === "known") return { type: "accepted", value: fact.value };
  return { type: "uncertain", reason: fact.reason, error: null };
}

function questionMethod(route: AnyQuestion, sender: Requests) {
  const queries: Queries = {
    send: (query, variables) => sendQuery(query, variables, sender),
    pause: () => sender.pause(),
  };
  const ask = questionBatcher(route.question, route.together, queries);
  const mayLack = ({ type, path }: PartError) =>
    route.type === "partial" && path !== null && route.mayLack({ type, path });
  return async (given: Given): Promise<Fact<unknown>> => {
    const answer = await ask(valuesOf(given));
    if (answer.type === "failed") return factOf(answer.failure, route);
    const { data, errors } = answer;
    const failure = { type: "graphql", errors } as const;
    if (!errors.every(mayLack)) return factOf(failure, route);
    const fact = parsed(route.answer, data, route);
    // What is missing may be what the answer needs.
    if (fact.type !== "known") return errors.length > 0 ? factOf(failure, route) : fact;
    if (route.type === "question") return fact;
    const lacking = errors.flatMap(({ path }) => (path === null ? [] : [path]));
    return known<PartialAnswer<unknown>>({ data: fact.value, lacking });
  };
}

/** GraphQL has the two parts of a repository's name as variables. */
function valuesOf({ repository, ...values }: Given): Given {
  if (typeof repository !== "string") return values;
  const [owner = "", name = ""] = repository.split("/");
  return { ...values, owner, name };
}

async function mutate(
  route: MutationRoute<string, unknown>,
  given: Given,
  sender: Requests,
): Promise<Sent<unknown>> {
  const answer = await sendQuery(route.query, given, sender, route.isPatient);
  if (answer.type === "failed") return deliveryOf(answer.failure, route.needs);
  const { data, errors } = answer;
  if (errors.some(({ message }) => route.doneWords.test(message))) return accepted(route, data);
  if (errors.length > 0) return deliveryOf({ type: "graphql", errors }, route.needs);
  return accepted(route, data);
}

const graphqlAnswer = z.object({
  data: z.nullish(z.record(z.string(), z.unknown())),
  errors: partErrors,
});

async function sendQuery(
  query: string,
  variables: Given,
  sender: Requests,
  isPatient = true,
): Promise<QueryAnswer> {
  const path = sender.graphqlPath;
  const body = { query, variables };
  const asked: Asked = {
    method: "POST",
    path,
    body,
    accept: JSON_TYPE,
    isRepeatable: false,
    isPatient,
  };
  const sent = await answerTo(asked, sender);
  if (sent.type === "failed") return sent;
  const read = graphqlAnswer.safeParse(jsonIn(sent.answer));
  if (!read.success) return failed(unusable(""));
  const { data, errors } = read.data;
  if (data !== null && data !== undefined) return { type: "answered", data, errors };
  return failed(errors.length > 0 ? { type: "graphql", errors } : unusable("data"));
}

function failed(failure: GitHubFailure): { type: "failed"; failure: GitHubFailure } {
  return { type: "failed", failure };
}

function unusable(place: string): GitHubFailure {
  const at = place === "" ? "" : ` (at \`${place}\`)`;
  return {
    type: "unusable",
    error: new UnusableAnswer(`GitHub's response could not be read${at}`),
  };
}

async function get(
  route: AnyRead | AnyList,
  given: Given,
  page: PagePlace | Record<string, never>,
  sender: Requests,
): Promise<Answer> {
  const { path, rest } = placeOf(route.path, given);
  const query = Object.entries({ ...route.fixed, ...rest, ...page });
  const search = new URLSearchParams();
  for (const [name, value] of query) search.append(name, String(value));
  const accept = route.type === "read" && route.format === "raw" ? RAW_TYPE : JSON_TYPE;
  const address = search.size === 0 ? path : `${path}?${search}`;
  return await answerTo(
    { method: "GET", path: address, body: null, accept, isRepeatable: true, isPatient: true },
    sender,
  );
}

/** @throws a mistake of the action */
async function answerTo(asked: Asked, sender: Requests): Promise<Answer> {
  try {
    const answer = await sender.send(asked);
    const { status, headers } = answer;
    if (status < 300) return { type: "answer", answer };
    return failed({ type: "refused", status, headers, message: wordsOfRefusal(jsonIn(answer)) });
  } catch (error) {
    if (error instanceof ExchangeError) return failed({ type: "unanswered", error });
    if (error instanceof UnusableAnswer) return failed({ type: "unusable", error });
    throw error;
  }
}

/** What a failed read says. */
function factOf(failure: GitHubFailure, route: AnyRead | AnyList | AnyQuestion): Fact<never> {
  return isAbsent(failure, route) ? ABSENT : unreadOf(failure, route.needs);
}

function isAbsent(failure: GitHubFailure, route: AnyRead | AnyList | AnyQuestion): boolean {
  if (failure.type !== "refused" || !("absent" in route)) return false;
  const isWorded = route.type === "list" || route.absentWords.test(failure.message);
  return isWorded && route.absent.includes(failure.status);
}

/** An answer as its schema describes it. */
function parsed<D>(
  schema: z.ZodMiniType<D>,
  data: unknown,
  { needs }: { needs: TokenPermissions },
): Known<D> | Unread {
  try {
    return known(readAnswer(schema, data));
  } catch (error) {
    if (!(error instanceof UnusableAnswer)) throw error;
    return unreadOf({ type: "unusable", error }, needs);
  }
}
