/** What GraphQL tells the same way wherever it stands: lists, errors, accounts, commits. */

import type { GraphQLResolveInfo } from "graphql";
import { committerRecord } from "../records.ts";
import type { Repository } from "../repository.ts";
import { isBot, iso } from "../site.ts";

/** An entry of `errors`, with GitHub's `type`. */
export class GraphQLRefusal extends Error {
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

export function notAccessible(): GraphQLRefusal {
  return new GraphQLRefusal("FORBIDDEN", "Resource not accessible by integration");
}

/** @param what as GitHub names it: `a Repository with the name 'acme/docs'` */
export function notFound(what: string): GraphQLRefusal {
  return new GraphQLRefusal("NOT_FOUND", `Could not resolve to ${what}.`);
}

export interface Page {
  first?: number;
  last?: number;
  after?: string;
}

/** Resolves a field that is a list. A record is made only if its page is asked for. */
export function listed<T, A extends Page = Page>(
  read: (given: A) => readonly T[],
  record: (item: T) => unknown = (item) => item,
) {
  return (given: A, _context: unknown, info: GraphQLResolveInfo) => {
    checkPage(given, info.fieldName);
    const all = read(given);
    const { first, last = all.length, after = "0" } = given;
    const start = Math.max(Number(after), first === undefined ? all.length - last : 0);
    const end = Math.min(all.length, first === undefined ? all.length : start + first);
    const pageInfo = { hasNextPage: end < all.length, endCursor: String(end) };
    return { nodes: all.slice(start, end).map(record), pageInfo, totalCount: all.length };
  };
}

/** @throws GraphQLRefusal where GitHub wants a bound, or a lower one */
function checkPage({ first, last }: Page, name: string): void {
  const count = first ?? last;
  if (count === undefined) {
    const bound = "You must provide a `first` or `last` value to properly paginate";
    throw new GraphQLRefusal(
      "MISSING_PAGINATION_BOUNDARIES",
      `${bound} the \`${name}\` connection.`,
    );
  }
  if (count > 100) {
    const records = `Requesting ${count} records on the \`${name}\` connection`;
    throw new GraphQLRefusal(
      "EXCESSIVE_PAGINATION",
      `${records} exceeds the limit of 100 records.`,
    );
  }
}

/** An account. A bot's login is without `[bot]` here. */
export function actorFields(login: string) {
  return { __typename: isBot(login) ? "Bot" : "User", login: login.replace("[bot]", "") };
}

export function objectFields(repository: Repository, oid: string): object {
  const { tags, commits } = repository.objects;
  const object = tags.get(oid)?.object;
  if (object !== undefined) {
    return { __typename: "Tag", oid, target: objectFields(repository, object) };
  }
  const { message, author, committer, at = 0 } = commits.get(oid) ?? {};
  return {
    ...{ __typename: "Commit", oid, message, authoredDate: iso(author?.at ?? 0) },
    ...{ author: gitActor(repository, author), committer: gitActor(repository, committer) },
    committedDate: iso(at),
  };
}

/** Who is named in a commit. Bots are no users. */
function gitActor({ site }: Repository, of: { name: string; email: string } | undefined) {
  if (of === undefined) return null;
  const known = committerRecord(site, of.email);
  const user = known === null || isBot(known.login) ? null : actorFields(known.login);
  return { name: of.name, email: of.email, user };
}
