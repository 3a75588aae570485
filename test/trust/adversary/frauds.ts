/** Answers with which land has to make each of the mistakes that it once made: the judge has to find them. */

import type { GateFraud } from "./gate-play.ts";
import type { Fraud } from "./land-play.ts";

type Fields = Record<string, unknown>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Visits every object of an answer. */
function everywhere(answer: unknown, visit: (fields: Fields) => void): void {
  if (Array.isArray(answer)) for (const each of answer) everywhere(each, visit);
  if (!isFields(answer)) return;
  visit(answer);
  for (const each of Object.values(answer)) everywhere(each, visit);
}

/** Replaces the nodes of a list, wherever it is. */
function nodesOf(name: string, change: (nodes: (Fields | null)[]) => unknown[]) {
  return (answer: unknown) =>
    everywhere(answer, ({ [name]: list }) => {
      if (!isFields(list) || !Array.isArray(list.nodes)) return;
      const nodes = change(list.nodes);
      list.nodes = nodes;
      if ("totalCount" in list) list.totalCount = nodes.length;
    });
}

export const FRAUDS: Record<string, Fraud> = {
  "nothing is confirmed right before an act": { isConfirmedByThePlan: true },
  "a later check replaces each one of its name": {
    change: nodesOf("contexts", (nodes) => [
      ...new Map(nodes.map((node) => [node?.name, node])).values(),
    ]),
  },
  "a comment counts from when it was begun": {
    change: (answer) =>
      everywhere(answer, (fields) => {
        if (isFields(fields.review) && "hunk" in fields) fields.review.submittedAt = fields.at;
      }),
  },
  "a change of the base is forgotten": {
    change: nodesOf("baseChanges", () => []),
  },
  "a label counts in small letters only": {
    change: nodesOf("labels", (nodes) => nodes.filter((label) => label?.name !== "Docs-Hold")),
  },
  "whoever resolves a thread settles it": {
    change: (answer) =>
      everywhere(answer, (fields) => {
        if (fields.isResolved === true) fields.resolvedBy = { login: "maintainer" };
      }),
  },
  "what is hidden is nothing": {
    change: (answer) =>
      everywhere(answer, (fields) => {
        for (const [name, value] of Object.entries(fields)) {
          if (name === "nodes" && Array.isArray(value)) fields.nodes = value.filter(Boolean);
        }
      }),
  },
  "whoever reviews has write permission": {
    change: (answer) =>
      everywhere(answer, (fields) => {
        if (isFields(fields.opinions))
          fields.writersOpinions = { ...fields.opinions, totalCount: 0 };
        if (fields.mayWrite === false) fields.mayWrite = true;
      }),
  },
  "what the token may bypass is not asked": {
    change: (answer) =>
      everywhere(answer, (fields) => {
        if ("reviewDecision" in fields) fields.reviewDecision = null;
      }),
  },
  "nobody but the agent has pushed": {
    change: (answer) =>
      everywhere(answer, (fields) => {
        if (isFields(fields.author) && "committer" in fields) {
          fields.author = { email: "docs-agent[bot]@users.noreply.github.com", user: null };
          fields.committer = fields.author;
        }
      }),
  },
};

export const GATE_FRAUDS: Record<string, GateFraud> = {
  "anybody may excuse": (answer, path) => {
    if (path.includes("/permission") && isFields(answer)) {
      answer.permission = "write";
      answer.role_name = "write";
    }
  },
  "the pull request that it judges is the only one": (answer) =>
    everywhere(answer, (fields) => {
      if (isFields(fields.pullRequests)) fields.pullRequests.nodes = [];
    }),
  "nobody asks for changes": nodesOf("opinions", (nodes) =>
    nodes.filter((opinion) => opinion?.state !== "CHANGES_REQUESTED"),
  ),
  "each head was always there": (answer) =>
    everywhere(answer, (fields) => {
      if ("created_at" in fields) fields.created_at = "2020-01-01T00:00:00Z";
    }),
  "no pull request is of a fork": (answer) =>
    everywhere(answer, (fields) => {
      if ("isFork" in fields) fields.isFork = false;
    }),
  "docs that were closed are open": (answer) =>
    everywhere(answer, (fields) => {
      if (fields.state === "closed") fields.state = "open";
      if (fields.state === "CLOSED") fields.state = "OPEN";
    }),
};
