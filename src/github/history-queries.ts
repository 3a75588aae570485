/** Queries for GitHub's GraphQL API, where its REST API needs many requests or cannot answer. */

import {
  type CommitIdentity,
  commitIdentityOf,
  list,
  record,
  required,
} from "./history-records.ts";
import { owned } from "./rest.ts";

/** The methods of Octokit that this file uses. */
export interface GitHubRequest {
  /** @throws with a `status`, where GitHub refuses. */
  request(
    route: string,
    parameters?: Record<string, unknown>,
  ): Promise<{ headers: Record<string, unknown>; data: unknown }>;
  /** Uses a different URL from the REST API. */
  graphql(query: string, variables: Record<string, unknown>): Promise<unknown>;
}

/** Maximum number of pull requests per query. */
export const PULLS_AT_ONCE = 50;

/**
 * The commits of many pull requests in one request: by number, oldest first. The result lacks pull requests with more
 * than 100 commits, and is empty if GitHub refuses. The caller can request these one by one.
 *
 * @param repository `owner/name`
 * @param numbers at most {@link PULLS_AT_ONCE}
 */
export async function readCommitsOfPulls(
  github: GitHubRequest,
  repository: string,
  numbers: readonly number[],
): Promise<Map<number, CommitIdentity[]>> {
  const fields = numbers.map((number) => `p${number}: pullRequest(number: ${number}) ${COMMITS}`);
  try {
    const data = await readRepository(github, repository, fields.join("\n"));
    const found = numbers.map((number) => {
      const { nodes, pageInfo } = record(record(data[`p${number}`]).commits);
      const isWhole = record(pageInfo).hasNextPage === false;
      return [number, isWhole ? list(nodes).map(commitIdentityOf) : []] as const;
    });
    return new Map(found.filter(([, commits]) => commits.length > 0));
  } catch {
    return new Map();
  }
}

/** The names of the newest 100 tags, sorted by the dates of their commits. */
export async function readNewestTags(github: GitHubRequest, repository: string): Promise<string[]> {
  const { refs } = await readRepository(github, repository, TAGS);
  return list(record(refs).nodes).map((node) => required(record(node).name, "a tag"));
}

async function readRepository(github: GitHubRequest, repository: string, fields: string) {
  const { owner, repo: name } = owned({ repository });
  const query = `query ($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) { ${fields} }
}`;
  return record(record(await github.graphql(query, { owner, name })).repository);
}

const COMMITS = `{
  commits(first: 100) {
    nodes { commit { oid message authoredDate author { name email } } }
    pageInfo { hasNextPage }
  }
}`;

const TAGS = `refs(
  refPrefix: "refs/tags/", first: 100, orderBy: { field: TAG_COMMIT_DATE, direction: DESC }
) { nodes { name } }`;
