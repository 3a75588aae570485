/** What people do on the emulated GitHub, with the payload that a workflow then gets. */

import type { NewPull } from "../../emulator/github/repository.ts";
import { ISSUE, type TrialSetup, type TriggerEvent } from "./trial-setup.ts";

type Numbered = { number: number; user: { login: string } };

/** Somebody with write permission, and not the owner of the token that runs the rest. */
const WRITER = "writer";

/** Somebody comments on the first issue. */
export async function commented(setup: TrialSetup, body: string): Promise<TriggerEvent> {
  const [issue, comment] = await Promise.all([
    get<Numbered>(setup, `/issues/${ISSUE}`),
    post<object>(setup, `/issues/${ISSUE}/comments`, { body }),
  ]);
  return happening("issue_comment", { action: "created", issue, comment });
}

export async function issueOpened(setup: TrialSetup, body: string): Promise<TriggerEvent> {
  const issue = await post<Numbered>(setup, "/issues", { title: "Describe webhooks", body });
  return happening("issues", { action: "opened", issue });
}

export async function issueLabeled(setup: TrialSetup, name: string): Promise<TriggerEvent> {
  await setup.history.label(ISSUE, name);
  const issue = await get<Numbered>(setup, `/issues/${ISSUE}`);
  return happening("issues", { action: "labeled", issue, label: { name } });
}

/** Somebody changes the text of an issue. */
export async function issueEdited(
  setup: TrialSetup,
  number: number,
  change: (body: string) => string,
): Promise<TriggerEvent> {
  const { body: from } = await get<{ body: string }>(setup, `/issues/${number}`);
  const token = setup.world.github.tokenOf(WRITER);
  const call = { method: "PATCH", token, body: { body: change(from) } };
  const issue = await setup.world.github.api<Numbered>(`/issues/${number}`, call);
  return happening("issues", { action: "edited", issue, changes: { body: { from } } });
}

/** Somebody comments on a line of an open pull request. */
export async function reviewCommented(setup: TrialSetup, body: string): Promise<TriggerEvent> {
  const path = "src/webhooks.ts";
  const commits = [{ files: [path] }];
  const number = await setup.history.openPull({ title: "Add webhooks", commits });
  const comment = await post<object>(setup, `/pulls/${number}/comments`, {
    ...{ body, path, line: 1, side: "RIGHT" },
  });
  const pull = await get<Numbered>(setup, `/pulls/${number}`);
  return happening("pull_request_review_comment", {
    ...{ action: "created", comment, pull_request: pull },
  });
}

/** Somebody reviews an open pull request. */
export async function reviewed(setup: TrialSetup, body: string): Promise<TriggerEvent> {
  const number = await setup.history.openPull({ title: "Add webhooks" });
  const review = await post<object>(setup, `/pulls/${number}/reviews`, { body, event: "COMMENT" });
  const pull = await get<Numbered>(setup, `/pulls/${number}`);
  return happening("pull_request_review", { action: "submitted", review, pull_request: pull });
}

/** A pull request is merged. */
export async function merged(
  setup: TrialSetup,
  event: "pull_request" | "pull_request_target",
  options: NewPull = {},
): Promise<TriggerEvent & { number: number }> {
  const { number } = await setup.history.land({ title: "Add webhooks", ...options }, "squash");
  const pull = await get<Numbered>(setup, `/pulls/${number}`);
  return { ...happening(event, { action: "closed", number, pull_request: pull }), number };
}

/** Somebody pushes a commit to main. */
export async function pushed(
  setup: TrialSetup,
  files: Record<string, string>,
): Promise<TriggerEvent> {
  const { github } = setup.world;
  const before = await setup.history.tip();
  const message = "Add webhooks";
  const after = await setup.history.push({ message, files });
  const commit = { id: after, message, author: { name: WRITER }, ...{ added: Object.keys(files) } };
  const compare = `${github.url}/${github.repository}/compare/${before}...${after}`;
  const payload = { ref: "refs/heads/main", before, after, compare };
  return happening("push", { ...payload, commits: [commit], head_commit: commit });
}

export function released(setup: TrialSetup): TriggerEvent {
  const { url, repository } = setup.world.github;
  const release = {
    ...{ tag_name: "v1.2.0", name: "v1.2.0", body: "Adds webhooks.", draft: false },
    html_url: `${url}/${repository}/releases/tag/v1.2.0`,
  };
  return happening("release", { action: "published", release });
}

/** A release of main is published. */
export async function published(setup: TrialSetup): Promise<TriggerEvent> {
  const release = await post<object>(setup, "/releases", { tag_name: "v1.2.0" });
  return happening("release", { action: "published", release });
}

export function scheduled(): TriggerEvent {
  return happening("schedule", { schedule: "17 * * * *" });
}

/** Somebody runs the workflow manually. */
export function dispatched(inputs: Record<string, string> = {}): TriggerEvent {
  return happening("workflow_dispatch", { ref: "refs/heads/main", inputs });
}

function happening(event: string, payload: Record<string, unknown>): TriggerEvent {
  return { event, payload };
}

function get<Answer>({ world }: TrialSetup, path: string): Promise<Answer> {
  return world.github.api<Answer>(path);
}

function post<Answer>({ world }: TrialSetup, path: string, body: object): Promise<Answer> {
  const token = world.github.tokenOf(WRITER);
  return world.github.api<Answer>(path, { method: "POST", token, body });
}
