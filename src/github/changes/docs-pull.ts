/** Reads a docs pull request with one GraphQL query. Anyone may have written its texts. */

import type { Octokit } from "@octokit/core";
import * as z from "zod/mini";
import { readAnswer } from "../api/answer.ts";
import { owned } from "../api/rest.ts";

const QUERY = `query ($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      url state isDraft author { login } createdAt endedAt: closedAt
      head: headRefOid branch: headRefName base: baseRefName
      isConflicting: mergeable mergeState: mergeStateStatus hasMergeQueue: isMergeQueueEnabled
      changedFiles deletedLines: deletions
      commits(first: 100) {
        totalCount
        nodes { commit { committedDate author { email user { login } } committer { email user { login } } } }
      }
      reviews(last: 100) {
        nodes {
          id: databaseId author { login } mayWrite: authorCanPushToRepository
          state body at: submittedAt head: commit { oid }
        }
      }
      reviewThreads(last: 100) {
        nodes {
          isResolved path line
          comments(first: 50) {
            nodes {
              id: databaseId author { login } body hunk: diffHunk at: createdAt
              mayWrite: pullRequestReview { authorCanPushToRepository }
            }
          }
        }
      }
      comments(last: 20) { nodes { createdAt viewerDidAuthor } }
      statusCheckRollup {
        contexts(first: 100) {
          totalCount
          nodes {
            ... on CheckRun {
              databaseId name status conclusion title summary
              annotations(first: 50) { nodes { path message location { start { line } } } }
            }
            ... on StatusContext { id name: context state description }
          }
        }
      }
    }
  }
}`;

/** Empty if there is none. */
const text = z.catch(z.string(), "");
/** A field, and the value that it becomes. */
const mapped = <T extends z.ZodMiniType, R>(field: T, change: (value: z.output<T>) => R) =>
  z.pipe(field, z.transform(change));
/** The entries of a connection. */
const list = <T extends z.ZodMiniType>(node: T) =>
  mapped(z.object({ nodes: z.array(node) }), ({ nodes }) => nodes);
const orNull = <T extends z.ZodMiniType>(field: T) => z.catch(z.nullable(field), null);

const lowerCase = mapped(text, (value) => value.toLowerCase());
const login = mapped(orNull(z.object({ login: z.string() })), (user) => user?.login ?? "");

/** The author or committer of a commit: the e-mail address, and its account, if GitHub knows it. */
const actor = z.catch(z.object({ email: lowerCase, user: login }), { email: "", user: "" });

const commits = z.object({
  totalCount: z.number(),
  nodes: z.array(
    z.object({ commit: z.object({ committedDate: text, author: actor, committer: actor }) }),
  ),
});
type Commits = z.infer<typeof commits>;

const review = z.object({
  id: z.number(),
  author: login,
  body: text,
  at: text,
  /** Whether the author has write permission. */
  mayWrite: z.boolean(),
  /** `approved`, `changes_requested`, `commented`, … */
  state: lowerCase,
  /** The head that it was given on. */
  head: mapped(z.nullable(z.object({ oid: z.string() })), (commit) => commit?.oid ?? ""),
});
export type Review = z.infer<typeof review>;

const comment = z.object({
  id: z.number(),
  author: login,
  body: text,
  hunk: text,
  at: z.string(),
  mayWrite: mapped(
    orNull(z.object({ authorCanPushToRepository: z.boolean() })),
    (review) => review?.authorCanPushToRepository ?? false,
  ),
});
const thread = z.object({
  isResolved: z.boolean(),
  path: text,
  line: z.nullable(z.number()),
  comments: list(comment),
});
/** A comment on a line of a pull request, in a thread that nobody has resolved. */
export type OpenComment = z.infer<typeof comment> & { path: string; line: number | null };

const annotation = z.object({
  path: text,
  message: text,
  location: orNull(z.object({ start: z.object({ line: z.nullable(z.number()) }) })),
});

/** Conclusions and states that do not prevent a merge. */
const GREEN = ["success", "neutral", "skipped"];

/** A check run or a commit status of a pull request's head. The first has a status and a conclusion, the other a state. */
const check = mapped(
  z.object({
    databaseId: z.optional(z.number()),
    id: text,
    name: z.string(),
    status: lowerCase,
    conclusion: lowerCase,
    state: lowerCase,
    title: text,
    summary: text,
    description: text,
    annotations: z.catch(list(annotation), []),
  }),
  ({ databaseId, id, name, status, state, annotations, ...it }) => {
    const isPending =
      state === "" ? status !== "completed" : ["pending", "expected"].includes(state);
    const conclusion = state || (isPending ? status : it.conclusion);
    const end: "green" | "red" = GREEN.includes(conclusion) ? "green" : "red";
    return {
      /** Identifies this result permanently. */
      id: id || String(databaseId),
      name,
      state: isPending ? ("pending" as const) : end,
      /** As GitHub calls it, in lower case: `failure`, `timed_out`, `error`, … */
      conclusion,
      text: [it.title, it.summary, it.description].filter(Boolean).join("\n\n"),
      /** The newest that GitHub gives, at most 50. */
      annotations: annotations.map(({ path, message, location }) => ({
        path,
        message,
        line: location?.start.line ?? null,
      })),
    };
  },
);
export type Check = z.infer<typeof check>;

const answer = z.object({
  repository: z.object({
    pullRequest: z.object({
      url: z.string(),
      isDraft: z.boolean(),
      author: login,
      createdAt: z.string(),
      state: z.pipe(lowerCase, z.enum(["open", "merged", "closed"])),
      /** When it was merged or closed; empty if it is open. */
      endedAt: text,
      /** SHA and branch. */
      head: z.string(),
      branch: z.string(),
      base: z.string(),
      /** Null if GitHub has not computed it yet. */
      isConflicting: mapped(z.string(), (it) => (it === "UNKNOWN" ? null : it === "CONFLICTING")),
      /** `clean`, `blocked`, `behind`, … */
      mergeState: lowerCase,
      hasMergeQueue: z.boolean(),
      changedFiles: z.number(),
      deletedLines: z.number(),
      commits,
      reviews: list(review),
      reviewThreads: list(thread),
      comments: list(z.object({ createdAt: z.string(), viewerDidAuthor: z.boolean() })),
      statusCheckRollup: z.nullable(
        z.object({ contexts: z.object({ totalCount: z.number(), nodes: z.array(check) }) }),
      ),
    }),
  }),
});

export type DocsPull = Awaited<ReturnType<typeof readDocsPull>>;

/** @throws the client's errors, or an error if the response is not a pull request */
export async function readDocsPull(github: Octokit, repository: string, number: number) {
  const { owner, repo: name } = owned({ repository });
  const parsed = readAnswer(answer, await github.graphql(QUERY, { owner, name, number }));
  const { commits, reviewThreads, comments, statusCheckRollup, ...pull } =
    parsed.repository.pullRequest;
  const { totalCount, nodes: checks } = statusCheckRollup?.contexts ?? { totalCount: 0, nodes: [] };
  const firstAuthor = commits.nodes[0]?.commit.author.email ?? "";
  const words = [
    ...comments.filter((node) => !node.viewerDidAuthor).map((node) => node.createdAt),
    ...pull.reviews.map(({ at }) => at),
    ...reviewThreads.flatMap(({ comments }) => comments.map(({ at }) => at)),
    ...commits.nodes.map(({ commit }) => commit.committedDate),
  ];
  return {
    ...pull,
    repository,
    number,
    checks,
    /** Whether somebody else than its author has committed to its branch. */
    isEditedByOthers: isEditedByOthers(pull.author, firstAuthor, commits),
    /** E-mail address of its first commit's author; empty if there is none. */
    firstAuthor,
    /** Whether `checks` is complete. */
    hasAllChecks: checks.length === totalCount,
    openComments: reviewThreads
      .filter(({ isResolved }) => !isResolved)
      .flatMap(({ path, line, comments }) => comments.map((node) => ({ ...node, path, line }))),
    /** Time of the last comment, review or commit, without the token's own comments; empty for none. */
    lastWordAt: words.toSorted().at(-1) ?? "",
  };
}

/** GitHub's own address, the committer of commits that people make on its pages. */
const WEB_FLOW = "noreply@github.com";

/**
 * Whether anyone other than the agent has committed. The agent is the pull request's author, and the author of its first
 * commit. True if the history is too long to be read.
 */
function isEditedByOthers(author: string, first: string, commits: Commits): boolean {
  const own = withoutBot(author);
  const isOwn = ({ email, user }: z.infer<typeof actor>) => {
    const [, named = ""] = /^(?:\d+\+)?(.+)@users\.noreply\.github\.com$/.exec(email) ?? [];
    const name = withoutBot(user || named);
    return (name !== "" && name === own) || (email !== "" && email === first);
  };
  const isByAgent = ({ commit: { author, committer } }: Commits["nodes"][number]) =>
    isOwn(author) && (committer.email === WEB_FLOW || isOwn(committer));
  return commits.totalCount > commits.nodes.length || !commits.nodes.every(isByAgent);
}

function withoutBot(login: string): string {
  return login.replace(/\[bot\]$/, "").toLowerCase();
}
