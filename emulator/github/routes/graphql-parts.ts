/** What the answers of the GraphQL API share: refusals and lists. */

import type { GraphQLResolveInfo } from "graphql";

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

type Page = { first?: number; last?: number; after?: string };

/** Resolves a field that is a list. A record is made only if its page is asked for. */
export function listed<T, A extends object>(
  read: (args: A) => readonly T[],
  record: (item: T) => unknown = (item) => item,
) {
  return (args: Page & A, _context: unknown, { fieldName }: GraphQLResolveInfo) => {
    const count = args.first ?? args.last;
    if (count === undefined || count > 100) {
      const message = `The \`${fieldName}\` connection needs \`first\` or \`last\`, of at most 100.`;
      throw new GraphQLRefusal("EXCESSIVE_PAGINATION", message);
    }
    const all = read(args);
    const after = Number(args.after ?? 0);
    const start = args.first === undefined ? Math.max(0, all.length - count) : after;
    const end = Math.min(all.length, start + count);
    const pageInfo = { hasNextPage: end < all.length, endCursor: String(end) };
    return { nodes: all.slice(start, end).map(record), pageInfo, totalCount: all.length };
  };
}
