/** The only client of GitHub's API. Its methods are those of the table of routes. */

import type { Fact } from "../../runtime/fact.ts";
import type { Sent } from "./explain.ts";
import { type ListOptions, methodOf, type PartialAnswer } from "./methods.ts";
import type { PagedList } from "./pages.ts";
import { type GitHubOptions, Requests } from "./requests.ts";
import type {
  ListRoute,
  MutationRoute,
  NamesIn,
  PartialRoute,
  QuestionRoute,
  ReadRoute,
  WriteRoute,
} from "./route.ts";
import { ROUTES } from "./routes.ts";

/** The parameters of a route by their names. What is null is not sent. */
type Given<Names extends string> = Readonly<Record<Names, unknown>>;

/** The parameters of a question. A repository is `owner/name`. */
type Values<V extends string> = Given<
  Exclude<V, "owner" | "name"> | ("owner" extends V ? "repository" : never)
>;

type Method<R> =
  R extends ReadRoute<infer Path, infer Sends, infer D>
    ? (given: Given<NamesIn<Path> | Sends>) => Promise<Fact<D>>
    : R extends ListRoute<infer Path, infer Sends, infer D, infer T>
      ? {
          <K = T>(
            given: Given<NamesIn<Path> | Sends>,
            options?: ListOptions<D, T, K>,
          ): Promise<Fact<PagedList<D, K>>>;
          /** The pages of a list that begins with the oldest entry, in the other order. */
          back(given: Given<NamesIn<Path> | Sends>): AsyncGenerator<Fact<readonly T[]>>;
        }
      : R extends WriteRoute<infer Path, infer Sends, infer D>
        ? (given: Given<NamesIn<Path> | Sends>) => Promise<Sent<D>>
        : R extends MutationRoute<infer V, infer D>
          ? (given: Given<V>) => Promise<Sent<D>>
          : R extends QuestionRoute<infer V, infer D>
            ? (given: Values<V>) => Promise<Fact<D>>
            : R extends PartialRoute<infer V, infer D>
              ? (given: Values<V>) => Promise<Fact<PartialAnswer<D>>>
              : never;

type Methods = {
  readonly [Noun in keyof typeof ROUTES]: {
    readonly [Name in keyof (typeof ROUTES)[Noun]]: Method<(typeof ROUTES)[Noun][Name]>;
  };
};

/** A read gives a fact, a write what became of it. Methods throw only for mistakes of the action. */
export interface GitHub extends Methods {
  readonly traffic: Pick<Requests, "now" | "count" | "retryAfter">;
}

export function createGitHub(options: GitHubOptions): GitHub {
  const requests = new Requests(options);
  return { ...methodsOver(requests), traffic: requests };
}

/** @param sender for the requests */
function methodsOver(sender: Requests): Methods {
  const nouns = Object.entries(ROUTES).map(([noun, routes]) => {
    const methods = Object.entries(routes).map(([name, route]) => [name, methodOf(route, sender)]);
    return [noun, Object.fromEntries(methods)];
  });
  return Object.fromEntries(nouns);
}
