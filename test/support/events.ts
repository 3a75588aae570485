import type { RunOptions } from "../../emulator/runner/runner.ts";

/** The event that triggers a run. */
export type Trigger = Pick<RunOptions, "eventName" | "event">;

const repository = {
  id: 4711,
  name: "docs",
  full_name: "octo/docs",
  owner: { login: "octo", type: "Organization" },
  html_url: "https://github.com/octo/docs",
  default_branch: "main",
};
const person = { login: "octocat", id: 1, type: "User" };

function issue(number: number) {
  return {
    number,
    title: "The webhooks are not documented",
    body: "Please describe them.",
    state: "open",
    user: person,
    html_url: `https://github.com/octo/docs/issues/${number}`,
    performed_via_github_app: null,
  };
}

/** A new issue. */
export function issueOpened(number: number): Trigger {
  return {
    eventName: "issues",
    event: { action: "opened", issue: issue(number), repository, sender: person },
  };
}

/** A new comment on an issue or a pull request. */
export function issueComment(number: number, commentId: number, onPullRequest = false): Trigger {
  const link = { html_url: `https://github.com/octo/docs/pull/${number}` };
  return {
    eventName: "issue_comment",
    event: {
      action: "created",
      issue: { ...issue(number), ...(onPullRequest ? { pull_request: link } : {}) },
      comment: {
        id: commentId,
        body: "Any news?",
        user: person,
        html_url: `https://github.com/octo/docs/issues/${number}#issuecomment-${commentId}`,
        performed_via_github_app: null,
      },
      repository,
      sender: person,
    },
  };
}

/** An event of a pull request. @param more fields of the payload besides the pull request */
export function pullRequest(number: number, eventName = "pull_request", more = {}): Trigger {
  return {
    eventName,
    event: {
      action: "opened",
      number,
      pull_request: {
        ...issue(number),
        html_url: `https://github.com/octo/docs/pull/${number}`,
        head: { ref: "feature", sha: "a".repeat(40) },
        base: { ref: "main", sha: "b".repeat(40) },
      },
      repository,
      sender: person,
      ...more,
    },
  };
}

/** A scheduled run. */
export const schedule: Trigger = {
  eventName: "schedule",
  event: { schedule: "0 6 * * 1", repository },
};

/** A push to the main branch. */
export const push: Trigger = {
  eventName: "push",
  event: {
    ref: "refs/heads/main",
    before: "0".repeat(40),
    after: "1".repeat(40),
    compare: "https://github.com/octo/docs/compare/000000000000...111111111111",
    commits: [
      {
        id: "1".repeat(40),
        message: "Add webhooks",
        author: { name: "octocat", username: "octocat" },
      },
    ],
    repository,
    sender: person,
  },
};
