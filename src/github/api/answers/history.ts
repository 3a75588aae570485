/** The fields of GitHub's answers about a repository's history that the action uses. */

import * as z from "zod/mini";
import { textOrEmpty } from "../answer.ts";

export const repository = z.object({
  id: z.int(),
  full_name: z.string(),
  default_branch: z.string(),
  visibility: z.optional(z.string()),
  private: z.optional(z.boolean()),
  archived: z.nullish(z.boolean()),
  fork: z.nullish(z.boolean()),
  has_issues: z.nullish(z.boolean()),
});

export const branch = z.object({ commit: z.object({ sha: z.string() }), name: z.string() });

/** The author or committer that a commit names. */
export const signature = z.pipe(
  z.nullish(z.object({ name: textOrEmpty, email: textOrEmpty, date: textOrEmpty })),
  z.transform((named) => named ?? UNNAMED),
);
const UNNAMED = { name: "", email: "", date: "" };

/** GitHub shows `null` or an empty object for an account that it does not know. */
const account = z.pipe(
  z.nullish(z.object({ login: textOrEmpty, type: textOrEmpty })),
  z.transform((known) => known ?? UNKNOWN),
);
const UNKNOWN = { login: "", type: "" };

export const commit = z.object({
  sha: z.string(),
  parents: z.array(z.object({ sha: z.string() })),
  html_url: z.string(),
  author: account,
  commit: z.object({
    message: z.string(),
    author: signature,
    committer: signature,
    tree: z.object({ sha: z.string() }),
  }),
});
export const commits = z.array(commit);

export const comparison = z.object({
  status: z.string(),
  total_commits: z.int(),
  commits,
});

/** A pull request's commits as they were in its branch, oldest first, from the GraphQL API. */
export const pullCommits = z.object({
  number: z.int(),
  commits: z.object({
    totalCount: z.int(),
    nodes: z.array(
      z.nullable(
        z.object({
          commit: z.object({
            oid: z.string(),
            message: z.string(),
            authoredDate: z.string(),
            author: signature,
          }),
        }),
      ),
    ),
  }),
});

/** A pull request in a list. */
export const listedPull = z.object({
  number: z.int(),
  title: z.string(),
  body: textOrEmpty,
  html_url: z.string(),
  user: account,
  assignees: z.pipe(
    z.nullish(z.array(account)),
    z.transform((named) => named ?? []),
  ),
  labels: z.array(z.object({ name: z.string() })),
  head: z.object({
    ref: z.string(),
    sha: z.string(),
    repo: z.nullish(z.object({ id: z.int() })),
  }),
  base: z.object({
    ref: z.string(),
    repo: z.object({ id: z.int() }),
  }),
  state: z.string(),
  merged_at: z.nullable(z.string()),
  merge_commit_sha: textOrEmpty,
  updated_at: z.string(),
});
export const pulls = z.array(listedPull);
/** A pull request by itself. */
/** A pull request of which only the head is used. */
export const headed = z.object({ head: z.object({ sha: z.string() }) });
/** An account. */
export const user = z.object({ login: z.string(), type: textOrEmpty });
export const pull = z.extend(listedPull, { changed_files: z.int(), merged_by: z.nullish(user) });

export const file = z.object({
  filename: z.string(),
  previous_filename: z.optional(z.string()),
  /** `removed`, `renamed`, … */
  status: textOrEmpty,
  patch: textOrEmpty,
  additions: z.int(),
  deletions: z.int(),
});
export const files = z.array(file);
export const fileComparison = z.object({ total_commits: z.int(), files });
export const commitWithFiles = z.extend(commit, { files: z.optional(files) });
