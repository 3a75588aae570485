/** What the gate asks of an open pull request, several in one query, and the fields of GitHub's answer. */

import * as z from "zod/mini";
import { textOrEmpty as text, textOrNull } from "../answer.ts";
import type { MissingPart, Question } from "../route.ts";
import { accountAnswer as account } from "./docs-pull-words.ts";
import { statusContext } from "./questions.ts";

export const GATE_PULL: Question<"owner" | "name" | "number" | "status"> = {
  variables: { owner: "String!", name: "String!", number: "Int!", status: "String!" },
  fields: (variable) => ({
    repository: `repository(owner: ${variable("owner")}, name: ${variable("name")}) {
    databaseId
    pullRequest(number: ${variable("number")}) {
      title body url state isDraft createdAt lastEditedAt updatedAt mergedAt changedFiles
      author { __typename login } association: authorAssociation
      labels(first: 100) { nodes { name } }
      branch: headRefName head: headRefOid base: baseRefName
      isFork: isCrossRepository headOwner: headRepositoryOwner { login }
      headRepository { nameWithOwner }
      comments(last: 100) {
        totalCount
        nodes {
          url body createdAt lastEditedAt author { __typename login } association: authorAssociation
          isOwn: viewerDidAuthor
        }
      }
      tip: commits(last: 1) {
        nodes {
          commit {
            oid
            status { context(name: ${variable("status")}) { state description targetUrl createdAt } }
          }
        }
      }
    }
  }`,
  }),
  fragments: "",
};

/** The statuses of the head need a permission of their own. */
export function isOfStatus({ type, path }: MissingPart): boolean {
  return type === "FORBIDDEN" && path.includes("status");
}

export const gateComment = z.object({
  url: z.string(),
  body: text,
  createdAt: z.string(),
  lastEditedAt: textOrNull,
  author: account,
  association: text,
  isOwn: z.boolean(),
});

export const gatePull = z.object({
  title: text,
  body: text,
  url: z.string(),
  state: z.enum(["OPEN", "CLOSED", "MERGED"]),
  isDraft: z.boolean(),
  createdAt: z.string(),
  lastEditedAt: textOrNull,
  updatedAt: z.string(),
  mergedAt: textOrNull,
  changedFiles: z.int(),
  author: account,
  association: text,
  labels: z.nullish(z.object({ nodes: z.array(z.object({ name: z.string() })) })),
  branch: z.string(),
  head: z.string(),
  base: z.string(),
  isFork: z.boolean(),
  /** Null if the fork was deleted. */
  headOwner: z.nullish(z.object({ login: z.string() })),
  headRepository: z.nullish(z.object({ nameWithOwner: z.string() })),
  comments: z.object({ totalCount: z.int(), nodes: z.array(gateComment) }),
  tip: z.object({
    nodes: z.array(
      z.object({
        commit: z.object({
          oid: z.string(),
          status: z.nullish(z.object({ context: z.nullish(statusContext) })),
        }),
      }),
    ),
  }),
});

export const gatePullAnswer = z.object({
  repository: z.object({ databaseId: z.int(), pullRequest: gatePull }),
});
