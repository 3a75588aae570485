/** Events on the emulated GitHub, with their payloads, and a step of a workflow that they start. */

import type { NewPull } from "../emulator/github/repository.ts";
import type { LocalWorld } from "../emulator/local-world/index.ts";
import type { RunOptions } from "../emulator/runner/runner.ts";
import type { Step, WorkflowFile } from "./try-examples/workflow.ts";

/** An event that starts a workflow. */
export interface Happening {
  event: string;
  payload: Record<string, unknown>;
  /** The workflow or steps that run, in place of those on trial. */
  contents?: WorkflowFile | Step[];
}

/** Makes something happen. */
export type Happens = (world: LocalWorld) => Happening | Promise<Happening>;

export const REQUEST = "/docs Explain webhooks.";
/** Issue that workflows with `issue-number` write to. */
const ISSUE = 1;
const FILE = "src/webhooks.ts";
const CHANGE = { title: "Add webhooks", commits: [{ files: { [FILE]: "1\n" } }] };

/** One after the other; a workflow runs for the last one only. */
export function inTurn(first: Happens, ...others: Happens[]): Happens {
  return async (world) => {
    let last = await first(world);
    for (const happens of others) last = await happens(world);
    return last;
  };
}

/** Another workflow of the same repository runs. */
export function running(contents: Happening["contents"] & object, happens: Happens): Happens {
  return async (world) => ({ ...(await happens(world)), contents });
}

export const scheduled: Happens = () => ({ event: "schedule", payload: {} });

/** Somebody runs the workflow manually. */
export function dispatched(inputs: Record<string, string> = {}): Happens {
  return () => ({ event: "workflow_dispatch", payload: { ref: "refs/heads/main", inputs } });
}

function issueOpened(title: string, body: string): Happens {
  return async (world) => {
    const { number } = await write(world, "/issues", { title, body });
    return await happening(world, "issues: opened", number);
  };
}

/** Somebody comments on the first issue. */
export function commented(body: string): Happens {
  return async (world) => {
    const comment = await write(world, `/issues/${ISSUE}/comments`, { body });
    return await happening(world, "issue_comment: created", ISSUE, { comment });
  };
}

/** Somebody comments on a new pull request. */
export function commentedOnPull(body: string): Happens {
  return async (world) => {
    const { number } = world.github.home.openPull(CHANGE);
    const comment = await write(world, `/issues/${number}/comments`, { body });
    return await happening(world, "issue_comment: created", number, { comment });
  };
}

/** A run of another workflow has ended, on a branch of a fork. */
const workflowEnded: Happens = () => {
  const head_repository = { full_name: "outsider/docs" };
  const workflow_run = { conclusion: "failure", event: "pull_request", head_repository };
  return { event: "workflow_run", payload: { action: "completed", workflow_run } };
};

/** Somebody ticks the first box of a dashboard. @param label of the dashboard */
export function boxTicked(label: string): Happens {
  return async (world) => {
    const path = `/issues?labels=${label}`;
    const [issue] = await world.github.api<{ number: number; body: string }[]>(path);
    const { number, body: from } = issue ?? { number: 0, body: "" };
    await write(world, `/issues/${number}`, { body: from.replace("- [ ]", "- [x]") }, "PATCH");
    return await happening(world, "issues: edited", number, { changes: { body: { from } } });
  };
}

/** Somebody reviews a pull request: the agent's, or a new one. @param activity GitHub's activity type */
export function reviewed(
  review: { event: string; body?: string },
  { activity = "submitted", ofAgent = false } = {},
): Happens {
  return async (world) => {
    const { home } = world.github;
    // Nobody approves their own.
    const opened = ofAgent ? undefined : home.openPull({ ...CHANGE, author: "maintainer" });
    const number = opened?.number ?? home.pulls.at(-1)?.number ?? 0;
    const made = await write(world, `/pulls/${number}/reviews`, review);
    const state = activity === "dismissed" ? { state: activity } : {};
    return await happening(world, `pull_request_review: ${activity}`, number, {
      review: { ...made, ...state },
    });
  };
}

/** The branch requires a check from now on. No workflow makes it. */
export function requiring(check: string): Happens {
  return ({ github }) => {
    github.home.mergeRule = { checks: [check] };
    return { event: "repository_ruleset", payload: { action: "created" } };
  };
}

/** A pull request is merged. @param paths of files that it changes */
export function merged(...paths: string[]): Happens {
  return async (world) => {
    const commits = [{ files: paths.length === 0 ? [FILE] : paths }];
    const { number } = world.github.home.land({ ...CHANGE, commits }, "squash");
    return await happening(world, "pull_request: closed", number);
  };
}

/** Somebody pushes a commit to main. @param files of the commit */
export function pushed(files: Record<string, string> = { [FILE]: "1\n" }): Happens {
  return ({ github }) => {
    const before = github.home.tip();
    const message = CHANGE.title;
    const after = github.home.push({ message, files });
    // Unlike a webhook's, the payload of a workflow has no lists of files.
    const commit = { id: after, message, author: { name: "writer" } };
    const compare = `${github.url}/${github.repository}/compare/${before}...${after}`;
    const payload = { ref: "refs/heads/main", before, after, compare };
    return { event: "push", payload: { ...payload, commits: [commit], head_commit: commit } };
  };
}

/** Somebody pushes a tag. */
export function tagged(name: string): Happens {
  return ({ github: { home } }) => {
    const payload = { ref: `refs/tags/${name}`, before: "0".repeat(40), after: home.tip() };
    return { event: "push", payload };
  };
}

/** A release of main is published. */
export const released: Happens = async (world) => {
  const named = { tag_name: "v1.2.0", name: "v1.2.0", body: "Adds webhooks." };
  const release = await write(world, "/releases", named);
  return { event: "release", payload: { action: "released", release } };
};

/** Two pull requests each are merged in other repositories. */
export function mergedIn(...names: string[]): Happens {
  return (world) => {
    for (const name of names) {
      const repository = world.github.emulated.create(name);
      repository.grow({ pulls: 2, days: 3 });
      repository.forcePush(repository.tip(), "stable");
    }
    return scheduled(world);
  };
}

/** The service breaks off when it receives the next request. */
export const broken: Happens = async (world) => {
  await world.service.addFault({ route: "v2-create", status: 500 });
  return await scheduled(world);
};

/** A pull request with code is opened, or something else happens to one. @param activity `opened`, for example */
export function pulled(activity: string, options: NewPull = {}): Happens {
  return async (world) => {
    const pull = world.github.home.openPull({ ...CHANGE, ...options });
    if (activity === "closed") world.github.home.close(pull);
    return await happening(world, `pull_request: ${activity}`, pull.number);
  };
}

/** What starts a workflow, by its trigger. A step without a workflow is run manually. */
export const EVENTS: Record<string, Happens> = {
  schedule: scheduled,
  workflow_dispatch: dispatched(),
  step: dispatched(),
  push: pushed(),
  "issue_comment: created": commented(REQUEST),
  "issues: opened": issueOpened("Describe webhooks", REQUEST),
  "issues: labeled": async (world) => {
    const label = { name: "question" };
    await write(world, `/issues/${ISSUE}/labels`, { labels: [label.name] });
    return await happening(world, "issues: labeled", ISSUE, { label });
  },
  pull_request: pulled("opened"),
  ...Object.fromEntries(
    ["opened", "edited", "reopened", "synchronize", "unlabeled", "ready_for_review", "closed"].map(
      (activity) => [`pull_request: ${activity}`, pulled(activity)],
    ),
  ),
  "pull_request: labeled": pulled("labeled", { labels: ["skip-docs"] }),
  "pull_request_target: closed": async (world) => ({
    ...(await merged()(world)),
    event: "pull_request_target",
  }),
  "pull_request_review: submitted": reviewed({ event: "COMMENT", body: REQUEST }),
  "pull_request_review: dismissed": reviewed(
    { event: "REQUEST_CHANGES", body: "Hm." },
    { activity: "dismissed" },
  ),
  "pull_request_review_comment: created": async (world) => {
    const { number } = world.github.home.openPull(CHANGE);
    const body = { body: REQUEST, path: FILE, line: 1, side: "RIGHT" };
    const comment = await write(world, `/pulls/${number}/comments`, body);
    return await happening(world, "pull_request_review_comment: created", number, { comment });
  },
  "merge_group: checks_requested": ({ github: { home } }) => {
    // With documentation.
    home.openPull({ commits: [{ files: [FILE, "docs/webhooks.md"] }] });
    const base_sha = home.tip();
    const branch = `gh-readonly-queue/main/pr-2-${base_sha}`;
    const head_sha = home.forcePush(base_sha, branch, [{ message: "Add webhooks (#2)" }]);
    const merge_group = { head_ref: `refs/heads/${branch}`, base_sha, head_sha };
    return { event: "merge_group", payload: { action: "checks_requested", merge_group } };
  },
  // Also sent as "published", which is sent for prereleases, too.
  "release: released": released,
  "workflow_run: completed": workflowEnded,
};

/** @param trigger as `issues: opened` @param more fields of the payload */
async function happening(
  { github }: LocalWorld,
  trigger: string,
  number: number,
  more = {},
): Promise<Happening> {
  const [event = "", action] = trigger.split(": ");
  const about = event.startsWith("issue")
    ? { issue: await github.api(`/issues/${number}`) }
    : { number, pull_request: await github.api(`/pulls/${number}`) };
  const sender = { login: "writer", type: "User" };
  return { event, payload: { action, sender, ...more, ...about } };
}

/** A person with write permission, other than the owner of the workflow's token, writes something. */
function write({ github }: LocalWorld, path: string, body: object, method = "POST") {
  const token = github.tokenOf("writer");
  return github.api<{ number: number }>(path, { method, token, body });
}

/** Adds the world's keys and URLs to the options of a step, unless they are set. */
export function localStep({ github, service }: LocalWorld, options: RunOptions): RunOptions {
  // The caller sets the assistant's key and domain.
  const agent = { "api-key": service.adminKey, "project-id": service.projectId };
  return {
    repository: github.repository,
    token: github.token,
    apiUrl: github.url,
    serverUrl: github.url,
    event: {},
    ...options,
    inputs: {
      ...(options.action === "assistant" ? {} : agent),
      "base-url": service.url,
      ...options.inputs,
    },
  };
}
