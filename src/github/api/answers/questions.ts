/** The smaller questions of GraphQL, and the fields of GitHub's answers to them. */

import * as z from "zod/mini";
import { textOrEmpty, textOrNull } from "../answer.ts";
import type { Question } from "../route.ts";
import { pullCommits } from "./history.ts";

const OF_REPOSITORY = { owner: "String!", name: "String!" };
const OF_PULL = { ...OF_REPOSITORY, number: "Int!" };

/** A question about one repository. @param fields what is asked of it */
function ofRepository(fields: string, fragments = ""): Question<"owner" | "name"> {
  return {
    variables: OF_REPOSITORY,
    fields: (variable) => ({
      repository: `repository(owner: ${variable("owner")}, name: ${variable("name")}) { ${fields} }`,
    }),
    fragments,
  };
}

/** A question about one pull request. @param fields what is asked of it, and of its repository */
function ofPull(fields: string, ofItsRepository = ""): Question<"owner" | "name" | "number"> {
  return {
    variables: OF_PULL,
    fields: (variable) => ({
      repository: `repository(owner: ${variable("owner")}, name: ${variable("name")}) {
    ${ofItsRepository}
    pullRequest(number: ${variable("number")}) { ${fields} }
  }`,
    }),
    fragments: "",
  };
}

export const VIEWER: Question<never> = {
  variables: {},
  fields: () => ({ viewer: "viewer { login }" }),
  fragments: "",
};
export const viewer = z.object({ viewer: z.object({ login: z.string() }) });

/** A pull request's commits as they were in its branch, oldest first. */
export const OWN_COMMITS = ofPull(`
      number
      commits(first: 100) {
        totalCount
        nodes { commit { oid message authoredDate author { name email } } }
      }
    `);
export const ownCommits = z.object({
  repository: z.object({ pullRequest: pullCommits }),
});

/** The mode of a file at a commit. */
export const FILE_MODE: Question<"owner" | "name" | "oid" | "path"> = {
  variables: { ...OF_REPOSITORY, oid: "GitObjectID!", path: "String!" },
  fields: (variable) => ({
    repository: `repository(owner: ${variable("owner")}, name: ${variable("name")}) {
    object(oid: ${variable("oid")}) { ... on Commit { file(path: ${variable("path")}) { mode } } }
  }`,
  }),
  fragments: "",
};
const fileAtCommit = z.object({ file: z.nullish(z.object({ mode: z.int() })) });
/** Null if GitHub does not have the commit. */
export const fileMode = z.object({ repository: z.object({ object: z.nullable(fileAtCommit) }) });

/** The state of a pull request, and nothing else. */
export const PULL_STATE = ofPull("state head: headRefOid base: baseRefName", "databaseId");
export const pullState = z.object({
  repository: z.object({
    databaseId: z.nullish(z.int()),
    pullRequest: z.object({
      state: z.enum(["OPEN", "MERGED", "CLOSED"]),
      head: z.string(),
      base: z.string(),
    }),
  }),
});

export const VISIBILITY = ofRepository("databaseId visibility");
export const visibility = z.object({
  repository: z.object({
    databaseId: z.nullish(z.int()),
    visibility: z.enum(["PUBLIC", "INTERNAL", "PRIVATE"]),
  }),
});

/** A repository, who can read it, and the tip of a branch: of the default one, unless another one is named. */
export const SOURCE: Question<"owner" | "name" | "ref" | "isNamed"> = {
  variables: { ...OF_REPOSITORY, ref: "String!", isNamed: "Boolean!" },
  fields: (variable) => ({
    repository: `repository(owner: ${variable("owner")}, name: ${variable("name")}) {
    databaseId nameWithOwner visibility isArchived isFork hasIssuesEnabled
    defaultBranchRef { name target { oid } }
    ref(qualifiedName: ${variable("ref")}) @include(if: ${variable("isNamed")}) { name target { oid } }
  }`,
  }),
  fragments: "",
};
const branchTip = z.object({ name: z.string(), target: z.nullable(z.object({ oid: z.string() })) });
export const source = z.object({
  repository: z.nullable(
    z.object({
      databaseId: z.nullish(z.int()),
      nameWithOwner: z.string(),
      visibility: z.string(),
      isArchived: z.boolean(),
      isFork: z.boolean(),
      hasIssuesEnabled: z.boolean(),
      defaultBranchRef: z.nullish(branchTip),
      ref: z.nullish(branchTip),
    }),
  ),
});

/** Who can read a repository, and the state and labels of one of its pull requests, if that is asked for. */
export const REPOSITORY_WITH_PULL: Question<"owner" | "name" | "number" | "isPull"> = {
  variables: { ...OF_REPOSITORY, number: "Int!", isPull: "Boolean!" },
  fields: (variable) => ({
    repository: `repository(owner: ${variable("owner")}, name: ${variable("name")}) {
    databaseId visibility
    pullRequest(number: ${variable("number")}) @include(if: ${variable("isPull")}) {
      state labels(first: 100) { nodes { name } }
    }
  }`,
  }),
  fragments: "",
};
export const repositoryWithPull = z.object({
  repository: z.nullable(
    z.object({
      databaseId: z.nullish(z.int()),
      visibility: z.enum(["PUBLIC", "INTERNAL", "PRIVATE"]),
      pullRequest: z.nullish(
        z.object({
          state: z.enum(["OPEN", "CLOSED", "MERGED"]),
          labels: z.nullish(
            z.object({ nodes: z.array(z.nullable(z.object({ name: z.string() }))) }),
          ),
        }),
      ),
    }),
  ),
});

/** The newest releases, with the commits of their tags. */
export const RELEASES = ofRepository(
  `releases(first: 100, orderBy: { field: CREATED_AT, direction: DESC }) {
  nodes { tagName isDraft isPrerelease publishedAt tagCommit { oid } }
}`,
);
export const releases = z.object({
  repository: z.object({
    releases: z.object({
      nodes: z.array(
        z.object({
          tagName: z.string(),
          isDraft: z.boolean(),
          isPrerelease: z.boolean(),
          publishedAt: textOrNull,
          /** Null if there is no such tag, for example of a draft. */
          tagCommit: z.nullish(z.object({ oid: z.string() })),
        }),
      ),
    }),
  }),
});

/** The newest tags, and what they name: a commit, or a tag with a message. */
export const TAGS = ofRepository(
  `refs(
  refPrefix: "refs/tags/", first: 100, orderBy: { field: TAG_COMMIT_DATE, direction: DESC }
) { nodes { name target { oid ... on Tag { target { oid ... on Tag { target { oid } } } } } } }`,
);
const tagged = z.object({ oid: z.string() });
const nested = z.extend(tagged, { target: z.nullish(tagged) });
export const tags = z.object({
  repository: z.object({
    refs: z.object({
      nodes: z.array(
        z.object({
          name: z.string(),
          target: z.nullish(z.extend(tagged, { target: z.nullish(nested) })),
        }),
      ),
    }),
  }),
});

/** The files of a folder of the default branch. */
export const FOLDER: Question<"owner" | "name" | "expression"> = {
  variables: { ...OF_REPOSITORY, expression: "String!" },
  fields: (variable) => ({
    repository: `repository(owner: ${variable("owner")}, name: ${variable("name")}) {
    object(expression: ${variable("expression")}) {
      ... on Tree { entries { name object { ... on Blob { text } } } }
    }
  }`,
  }),
  fragments: "",
};
export const folder = z.object({
  repository: z.object({
    object: z.nullish(
      z.object({
        entries: z.nullish(
          z.array(
            z.object({
              name: z.string(),
              object: z.nullish(z.object({ text: z.nullish(z.string()) })),
            }),
          ),
        ),
      }),
    ),
  }),
});

/** A page of the open pull requests, with the status of a name on their heads. */
export const OPEN_PULLS: Question<"owner" | "name" | "status" | "after"> = {
  variables: { ...OF_REPOSITORY, status: "String!", after: "String" },
  fields: (variable) => ({
    repository: `repository(owner: ${variable("owner")}, name: ${variable("name")}) {
    pullRequests(states: [OPEN], first: 100, after: ${variable("after")}) {
      pageInfo { hasNextPage endCursor }
      nodes {
        number
        updatedAt
        headRefOid
        commits(last: 1) {
          nodes {
            commit {
              status {
                context(name: ${variable("status")}) { state description targetUrl createdAt }
              }
            }
          }
        }
      }
    }
  }`,
  }),
  fragments: "",
};
export const statusContext = z.object({
  state: z.string(),
  description: textOrEmpty,
  targetUrl: z.nullish(z.string()),
  createdAt: z.string(),
});
const openPull = z.object({
  number: z.int(),
  updatedAt: z.string(),
  headRefOid: z.string(),
  commits: z.object({
    nodes: z.array(
      z.object({
        commit: z.object({ status: z.nullish(z.object({ context: z.nullish(statusContext) })) }),
      }),
    ),
  }),
});
export const openPulls = z.object({
  repository: z.object({
    pullRequests: z.object({
      pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.nullish(z.string()) }),
      nodes: z.array(openPull),
    }),
  }),
});

/**
 * The latest opinions of those with write permission on a pull request, whether anybody ever approved it, and what
 * else its documentation depends on.
 */
export const APPROVAL: Question<"owner" | "name" | "number"> = {
  variables: OF_PULL,
  fields: (variable) => ({
    repository: `repository(owner: ${variable("owner")}, name: ${variable("name")}) {
    pullRequest(number: ${variable("number")}) {
      state
      isDraft
      headRefOid
      labels(first: 100) { nodes { name } }
      opinions: latestOpinionatedReviews(first: 100, writersOnly: true) {
        pageInfo { hasNextPage }
        nodes { state author { __typename login } }
      }
      approvals: reviews(first: 1, states: [APPROVED, DISMISSED]) { nodes { state } }
    }
  }`,
  }),
  fragments: "",
};
const opinion = z.object({
  state: z.string(),
  author: z.nullish(z.object({ __typename: z.string(), login: z.string() })),
});
export const approval = z.object({
  repository: z.object({
    pullRequest: z.object({
      state: z.string(),
      isDraft: z.boolean(),
      headRefOid: z.string(),
      labels: z.nullish(z.object({ nodes: z.array(z.object({ name: z.string() })) })),
      opinions: z.object({
        pageInfo: z.object({ hasNextPage: z.boolean() }),
        nodes: z.array(opinion),
      }),
      approvals: z.object({ nodes: z.array(z.object({ state: z.string() })) }),
    }),
  }),
});

/** A reaction to a review, for which REST has no route. */
export const REACT = `mutation ($id: ID!, $content: ReactionContent!) {
  addReaction(input: { subjectId: $id, content: $content }) { clientMutationId }
}`;

export const ENQUEUE = `mutation ($pull: ID!, $head: GitObjectID!) {
  enqueuePullRequest(input: { pullRequestId: $pull, expectedHeadOid: $head }) { clientMutationId }
}`;
