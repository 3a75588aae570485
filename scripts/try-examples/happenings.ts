/** What people do on the emulated GitHub, with the payload that a workflow then gets. */

import type { NewPull } from "../../emulator/github/repository.ts";
import type { Happening, TrialWorld } from "./trial.ts";

/** Lets something happen. */
export type Happens = (trial: TrialWorld) => Happening | Promise<Happening>;

type Numbered = { number: number; user: { login: string } };

/** Issue that workflows with `issue-number` write to. */
export const ISSUE = 1;
/** Somebody with write permission, and not the owner of the token that runs the rest. */
const WRITER = "writer";
const CHANGE = { title: "Add webhooks" };
const RELEASE = { tag_name: "v1.2.0", name: "v1.2.0", body: "Adds webhooks." };

export const scheduled: Happens = () => ({
  event: "schedule",
  payload: { schedule: "17 * * * *" },
});

/** Somebody runs the workflow manually. */
export function dispatched(inputs: Record<string, string> = {}): Happens {
  return () => ({ event: "workflow_dispatch", payload: { ref: "refs/heads/main", inputs } });
}

/** Somebody comments on the first issue. */
export function commented(body: string): Happens {
  return async (trial) => {
    const issue = await get<Numbered>(trial, `/issues/${ISSUE}`);
    const comment = await write<object>(trial, `/issues/${ISSUE}/comments`, { body });
    return { event: "issue_comment", payload: { action: "created", issue, comment } };
  };
}

export function issueOpened(body: string): Happens {
  return async (trial) => {
    const issue = await write<Numbered>(trial, "/issues", { title: "Describe webhooks", body });
    return { event: "issues", payload: { action: "opened", issue }, number: issue.number };
  };
}

export function issueLabeled(name: string): Happens {
  return async (trial) => {
    await trial.world.github.api(`/issues/${ISSUE}/labels`, {
      ...{ method: "POST", body: { labels: [name] } },
    });
    const issue = await get<Numbered>(trial, `/issues/${ISSUE}`);
    return { event: "issues", payload: { action: "labeled", issue, label: { name } } };
  };
}

/** Somebody ticks the first box of a dashboard. @param url of the issue */
export function boxTicked(url: string): Happens {
  return async (trial) => {
    const path = `/issues/${url.split("/").at(-1)}`;
    const { body: from } = await get<{ body: string }>(trial, path);
    const body = from.replace("- [ ]", "- [x]");
    const issue = await write<Numbered>(trial, path, { body }, "PATCH");
    return { event: "issues", payload: { action: "edited", issue, changes: { body: { from } } } };
  };
}

/** Somebody comments on a line of an open pull request. */
export function reviewCommented(body: string): Happens {
  return async (trial) => {
    const path = "src/webhooks.ts";
    const { number } = trial.world.github.home.openPull({
      ...CHANGE,
      commits: [{ files: [path] }],
    });
    const place = { path, line: 1, side: "RIGHT" };
    const comment = await write<object>(trial, `/pulls/${number}/comments`, { body, ...place });
    const pull = await get<object>(trial, `/pulls/${number}`);
    const payload = { action: "created", comment, pull_request: pull };
    return { event: "pull_request_review_comment", payload, number };
  };
}

/** Somebody reviews an open pull request. @param options default: comments on a new one */
export function reviewed(
  body: string,
  { number: of, event = "COMMENT" }: { number?: number; event?: string } = {},
): Happens {
  return async (trial) => {
    const number = of ?? trial.world.github.home.openPull(CHANGE).number;
    const review = await write<object>(trial, `/pulls/${number}/reviews`, { body, event });
    const pull = await get<object>(trial, `/pulls/${number}`);
    const payload = { action: "submitted", review, pull_request: pull };
    return { event: "pull_request_review", payload, number };
  };
}

/** A pull request is merged. */
export function merged(
  event: "pull_request" | "pull_request_target" = "pull_request",
  options: NewPull = {},
) {
  return async (trial: TrialWorld): Promise<Happening & { number: number }> => {
    const { number } = trial.world.github.home.land({ ...CHANGE, ...options }, "squash");
    const pull = await get<Numbered>(trial, `/pulls/${number}`);
    return { event, payload: { action: "closed", number, pull_request: pull }, number };
  };
}

/** Somebody pushes a commit to main. @param files of the commit */
export function pushed(files: Record<string, string>): Happens {
  return ({ world: { github } }) => {
    const before = github.home.tip();
    const message = CHANGE.title;
    const after = github.home.push({ message, files });
    const commit = { id: after, message, author: { name: WRITER }, added: Object.keys(files) };
    const compare = `${github.url}/${github.repository}/compare/${before}...${after}`;
    const payload = { ref: "refs/heads/main", before, after, compare };
    return { event: "push", payload: { ...payload, commits: [commit], head_commit: commit } };
  };
}

/** Somebody pushes a tag. */
export function tagged(name: string): Happens {
  return ({ world: { github } }) => {
    const after = github.home.tip();
    return { event: "push", payload: { ref: `refs/tags/${name}`, before: "0".repeat(40), after } };
  };
}

/** A release of main is published. */
export const released: Happens = async (trial) => {
  const release = await write<object>(trial, "/releases", RELEASE);
  return { event: "release", payload: { action: "published", release } };
};

function get<Answer>({ world }: TrialWorld, path: string): Promise<Answer> {
  return world.github.api<Answer>(path);
}

function write<Answer>(
  { world }: TrialWorld,
  path: string,
  body: object,
  method = "POST",
): Promise<Answer> {
  const token = world.github.tokenOf(WRITER);
  return world.github.api<Answer>(path, { method, token, body });
}
