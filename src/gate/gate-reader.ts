/** What only the gate reads of a repository. Methods throw the errors of the client, or `UnusableAnswer`. */

import * as z from "zod/mini";
import { textOrEmpty } from "../github/api/answer.ts";
import * as answers from "../github/api/answers/history.ts";
import { type ReadingClient, RepositoryReader } from "../github/api/repository.ts";
import { type Pull, pullOf } from "../github/changes/history-records.ts";

/** Maximum number of pages of open pull requests: 2,000. */
const OPEN_PAGES = 20;

const openPullsAnswer = z.object({
  pullRequests: z.object({
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.nullish(z.string()) }),
    nodes: z.array(
      z.object({
        number: z.int(),
        updatedAt: z.string(),
        headRefOid: z.string(),
        commits: z.object({
          nodes: z.array(
            z.object({
              commit: z.object({
                status: z.nullish(
                  z.object({
                    context: z.nullish(
                      z.object({
                        state: z.string(),
                        description: textOrEmpty,
                        targetUrl: z.nullish(z.string()),
                        createdAt: z.string(),
                      }),
                    ),
                  }),
                ),
              }),
            }),
          ),
        }),
      }),
    ),
  }),
});

/** A status that a head has. */
export interface KnownStatus {
  /** In lower case. */
  state: string;
  description: string;
  /** Null for none. */
  targetUrl: string | null;
  /** In milliseconds since 1970. */
  setAt: number;
}

/** An open pull request, and the status of its head; null for none. */
export interface OpenPull {
  number: number;
  /** SHA of its branch's tip. */
  head: string;
  /** In milliseconds since 1970. */
  updatedAt: number;
  status: KnownStatus | null;
}

export class GateReader {
  readonly #reader: RepositoryReader;

  constructor(github: ReadingClient, repository: string) {
    this.#reader = new RepositoryReader(github, repository);
  }

  /** The open pull requests of this repository that a commit belongs to. */
  async openPullsOf(sha: string): Promise<Pull[]> {
    const { repository } = this.#reader;
    const pulls = await this.#reader.get(answers.pulls, "/commits/{sha}/pulls", { sha });
    // In a fork, GitHub lists those of the repository that it was forked from.
    const place = `/${repository}/pull/`.toLowerCase();
    return pulls
      .map(pullOf)
      .filter(({ isOpen, url }) => isOpen && url.toLowerCase().includes(place));
  }

  /** All open pull requests, with the status of a name on their heads. */
  async openPulls(statusName: string): Promise<OpenPull[]> {
    const all: OpenPull[] = [];
    let after: string | null = null;
    for (let page = 0; page < OPEN_PAGES; page++) {
      const query = openPullsQuery(statusName, after);
      const answer: OpenPullsAnswer = await this.#reader.query(openPullsAnswer, query);
      const { nodes, pageInfo } = answer.pullRequests;
      all.push(...nodes.map(openPullOf));
      after = pageInfo.endCursor ?? null;
      if (!pageInfo.hasNextPage || after === null) break;
    }
    return all;
  }
}

type OpenPullsAnswer = z.infer<typeof openPullsAnswer>;
type OpenPullAnswer = OpenPullsAnswer["pullRequests"]["nodes"][number];

function openPullOf({ number, updatedAt, headRefOid, commits }: OpenPullAnswer): OpenPull {
  const known = commits.nodes[0]?.commit.status?.context ?? null;
  const status = known && {
    state: known.state.toLowerCase(),
    description: known.description,
    targetUrl: known.targetUrl ?? null,
    setAt: Date.parse(known.createdAt) || 0,
  };
  return { number, head: headRefOid, updatedAt: Date.parse(updatedAt) || 0, status };
}

/** JSON's strings are also GraphQL's. */
function openPullsQuery(statusName: string, after: string | null): string {
  return `pullRequests(states: [OPEN], first: 100, after: ${JSON.stringify(after)}) {
  pageInfo { hasNextPage endCursor }
  nodes {
    number
    updatedAt
    headRefOid
    commits(last: 1) {
      nodes {
        commit {
          status {
            context(name: ${JSON.stringify(statusName)}) { state description targetUrl createdAt }
          }
        }
      }
    }
  }
}`;
}
