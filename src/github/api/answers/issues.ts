/** The fields of GitHub's answers about issues and comments that the action uses. */

import * as z from "zod/mini";
import { textOrEmpty, textOrNull } from "../answer.ts";

/** A comment on an issue or a pull request. */
export const comment = z.object({
  id: z.int(),
  body: textOrEmpty,
  html_url: textOrEmpty,
  issue_url: textOrEmpty,
  created_at: textOrEmpty,
  updated_at: textOrEmpty,
  author_association: textOrEmpty,
  user: z.nullish(z.object({ login: textOrNull, type: textOrEmpty })),
});
export const comments = z.array(comment);

/** Set on an issue that is a pull request. */
const pullMark = z.optional(z.unknown());

export const listedIssues = z.array(
  z.object({
    number: z.int(),
    body: textOrEmpty,
    state: z.string(),
    pull_request: pullMark,
  }),
);

const label = z.union([z.string(), z.object({ name: z.nullish(z.string()) })]);

export const issue = z.object({
  number: z.int(),
  repository_url: z.string(),
  body: textOrEmpty,
  state: z.string(),
  labels: z.array(label),
  closed_by: z.nullish(z.object({ login: z.string(), type: textOrEmpty })),
  closed_at: z.nullish(z.string()),
  pull_request: pullMark,
});

/** An issue or a comment, as far as it says which app posted it for a person. */
export const post = z.object({
  performed_via_github_app: z.nullish(z.object({ slug: textOrEmpty })),
});

export const assigned = z.object({ assignees: z.array(z.object({ login: z.string() })) });

/** What an account may do in a repository. */
export const permission = z.object({ permission: z.string(), role_name: z.nullish(z.string()) });
