/** The contents of each picture: real runs of dist/ in the local world, and the pages of GitHub after them. */

import { stringify } from "yaml";
import { type LocalWorld, startLocalWorld } from "../../emulator/local-world/index.ts";
import { type RunOptions, type RunResult, runAction } from "../../emulator/runner/runner.ts";
import { DEFAULT_STEERING } from "../../emulator/service/agent/steering.ts";
import { finishedJob } from "../../emulator/service/state.ts";
import { SiteReader } from "../../playground/site/reader.ts";
import { type Html, html } from "../../playground/views/html.ts";
import { summaryBox } from "../../playground/views/runs.ts";
import { threadParts } from "../../playground/views/thread.ts";
import { commented, localStep, pulled } from "../events.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Time limit of a step, in milliseconds of real time. */
const STEP_LIMIT = 120_000;
const REQUEST = "/docs explain how to rotate a key without downtime, with an example";

/** Runs an action. @param fails whether it has to fail @throws otherwise */
async function run(world: LocalWorld, step: RunOptions, fails = false): Promise<RunResult> {
  const result = await runAction({ ...localStep(world, step), limitMs: STEP_LIMIT });
  if ((result.exitCode !== 0) === fails) return result;
  throw new Error(`A step ended with ${result.exitCode}:\n${result.visible.join("\n")}`);
}

/** A person writes a comment on the first issue, and an action answers it. */
async function ask(world: LocalWorld, body: string, options: RunOptions): Promise<void> {
  const { event: eventName, payload: event } = await commented(body)(world);
  await run(world, { eventName, event, ...options });
}

/** An issue: its title and posts. @param from index of the first post to show */
async function thread(world: LocalWorld, number: number, from: number): Promise<Html[]> {
  const { repository, url: origin } = world.github;
  const whole = await new SiteReader(world.github).thread(number);
  if (whole === undefined) throw new Error(`There is no issue ${number}.`);
  const posts = from === 0 ? whole.posts.slice(0, 1) : whole.posts.slice(from);
  return threadParts({ ...whole, posts }, { repository, origin }).map(({ content }) => content);
}

async function dashboard(world: LocalWorld, label: string): Promise<Html[]> {
  const [issue] = await world.github.api<{ number: number }[]>(`/issues?labels=${label}`);
  if (issue === undefined) throw new Error("No dashboard was opened.");
  return await thread(world, issue.number, 0);
}

/** The root action: a request by phrase, and the final status comment. */
async function comment(): Promise<Html[]> {
  await using world = await startLocalWorld();
  // The step's clock runs faster: the emulated job of seconds is one of minutes, as real ones.
  await ask(world, REQUEST, { fastClock: 40, inputs: { "trigger-phrase": "/docs" } });
  return await thread(world, 1, 1);
}

/** The assistant: a question on an issue, and its answer. */
async function assistant(): Promise<Html[]> {
  await using world = await startLocalWorld();
  const { assistantKey, domain } = world.service;
  const inputs = { "api-key": assistantKey, domain, "trigger-phrase": "/ask" };
  await ask(world, "/ask how do I rotate a key?", { action: "assistant", inputs });
  return await thread(world, 1, 1);
}

/** Collect: the status comment after a run that does not wait, and after a sweep. */
async function collect(): Promise<Html[]> {
  await using world = await startLocalWorld({ steering: { durationMs: 2_000 } });
  const inputs = { "trigger-phrase": "/docs" };
  await ask(world, REQUEST, { fastClock: 20, inputs: { ...inputs, wait: "false" } });
  const before = await thread(world, 1, 1);
  await world.service.untilJobsEnd();
  const sweep = await run(world, { action: "collect", eventName: "schedule", inputs });
  if (sweep.outputs.finishedCount !== "1") throw new Error("The sweep finished no comment.");
  const after = await thread(world, 1, 1);
  const caption = (text: string) => html`<p class="lead"><b>${text}</b></p>`;
  return [
    ...after.slice(0, 2),
    caption("When the run has ended, after seconds:"),
    ...before.slice(2),
    caption("The same comment after a later sweep:"),
    ...after.slice(2),
  ];
}

/** The steering of each task, in the order of the file. */
const TASKS: Record<string, string> = {
  users: "duration=0ms",
  orders: "duration=0ms",
  "quick-start": "duration=0ms outcome=no-changes",
  invoices: "duration=0ms outcome=failed",
  refunds: "duration=0ms",
  webhooks: "duration=0ms",
  exports: "duration=never",
  search: "duration=never",
  keys: "duration=never",
  limits: "duration=never",
  quotas: "duration=never",
};

/** Runs until the queue's dashboard has something to show in every section. */
async function queue(): Promise<Html[]> {
  await using world = await startLocalWorld();
  const file = "docs/tasks.yml";
  const tasks = Object.entries(TASKS).map(([id, steering]) => {
    const prompt =
      id === "quick-start" ? "Apply docs/style-guide.md." : `Document the endpoints below /${id}.`;
    return { id, prompt: `${prompt}\nemulate: ${steering}` };
  });
  for (let nth = 1; nth <= 4; nth++) {
    world.github.emulated.site.advance(10 * MINUTE);
    await run(world, {
      action: "queue",
      eventName: "schedule",
      workspaceFiles: { [file]: stringify(tasks) },
      inputs: { "tasks-file": file, "max-attempts": "1" },
    });
  }
  return await dashboard(world, "docs-queue");
}

interface Landed {
  folder?: string;
  labels?: string[];
}

/** Runs until upkeep's dashboard has something to show in every section. */
async function upkeep(): Promise<Html[]> {
  const jobs = { durationMs: 0 };
  await using world = await startLocalWorld({ steering: jobs, repository: "acme/app" });
  const { home, emulated } = world.github;
  const since = home.tip();
  const land = (title: string, { folder = "src", labels = [] }: Landed = {}) =>
    home.land({ title, labels, commits: [{ files: [`${folder}/${title}.ts`] }] }, "squash");
  const sweep = async (steering = "outcome=completed", fails = false) => {
    emulated.site.advance(HOUR);
    const prompt = `Bring the documentation up to date.\nemulate: ${steering}`;
    const limits = { paths: "src/**", "max-attempts": "1", "open-pull-request": "new" };
    const inputs = { prompt, since, ...limits };
    await run(world, { action: "upkeep", eventName: "schedule", inputs }, fails);
  };
  await sweep();
  land("Add a retry limit to webhooks");
  land("Rename the flag --out to --output");
  await sweep();
  land("Cache the list of projects");
  await sweep("outcome=no-changes");
  land("Move the tests of the parser", { folder: "test" });
  land("Format the sources", { labels: ["skip-docs"] });
  land("Rotate keys without downtime");
  await sweep();
  land("Read settings from the environment");
  await sweep("outcome=failed");
  land("Remove the endpoint /v1/search");
  const body = JSON.stringify({ error: "timed out" });
  await world.service.addFault({ route: "v2-create", status: 504, body });
  await sweep(undefined, true);
  land("Accept several files in one upload");
  land("Return the quota in a header");
  await sweep("duration=never");
  land("Let webhooks be paused");
  await sweep();
  return await dashboard(world, "docs-upkeep");
}

/** The gate's comment on a pull request without documentation. */
async function gate(): Promise<Html[]> {
  await using world = await startLocalWorld();
  const commits = [{ files: { "src/retry.ts": "export const retries = 3;\n" } }];
  const opened = pulled("opened", { title: "Retry failed deliveries", commits });
  const { event: eventName, payload: event } = await opened(world);
  await run(world, { action: "gate", eventName, event });
  return (await thread(world, Number(event.number), 1)).slice(0, 2);
}

/** Land's comment on a docs pull request that the agent repaired, and that waits for an approval. */
async function land(): Promise<Html[]> {
  const steering = { durationMs: 0, buildMs: 0, checks: "red" } as const;
  await using world = await startLocalWorld({ steering, repository: "acme/app" });
  const { home, emulated } = world.github;
  const prompt = "Document how to rotate keys and pause webhooks";
  const asked = { prompt, since: home.tip(), "open-pull-request": "new" };
  const step = async (action: string, inputs: Record<string, string>) => {
    emulated.site.advance(HOUR);
    await run(world, { action, eventName: "schedule", inputs });
  };
  home.land({ author: "writer", title: "Rotate keys without downtime" }, "squash");
  home.land({ author: "maintainer", title: "Let webhooks be paused" }, "squash");
  for (let nth = 1; nth <= 2; nth++) await step("upkeep", asked);
  const rails = { "allowed-paths": "docs/**", "max-files": "30" };
  const rules = { merge: "approved", preview: "true", ...rails };
  for (let nth = 1; nth <= 3; nth++) await step("land", rules);
  const [pull] = await world.github.api<{ number: number }[]>("/pulls");
  return (await thread(world, pull?.number ?? 0, 1)).slice(0, 2);
}

/** Jobs that version 1 of the API started; `end` is a path of a pull request, `failed`, `active` or empty. */
const JOBS: [id: string, minutesAgo: number, prompt: string, branch: string, end: string][] = [
  ["0198a0f1", 190, "Describe the scopes of a key", "docs/scopes", "/acme/docs/pull/41"],
  ["0198a4c7", 120, "Compare the two ways to paginate", "docs/paging", ""],
  ["0198b2d9", 65, "Rewrite the quick start", "docs/quick-start", "failed"],
  ["0198c6e2", 12, "Explain how to verify a webhook", "docs/webhooks", "/acme/docs/pull/43"],
  ["0198d113", 1, "Document the endpoint /v2/exports", "docs/exports", "active"],
];

/** The list of jobs, as the step summary shows it. */
async function jobs(): Promise<Html[]> {
  const shown = JOBS.map(([id, minutesAgo, prompt, branch, end]) => {
    const createdAt = Date.now() - minutesAgo * MINUTE;
    const isActive = end === "active";
    const status = end === "failed" ? "failed" : "completed";
    const outcome = isActive ? null : ({ status, at: createdAt + MINUTE, reason: null } as const);
    const steering = { ...DEFAULT_STEERING, durationMs: isActive ? null : MINUTE };
    const turns = [{ prompt, startedAt: createdAt, steering, outcome }];
    const prLink = end.startsWith("/") ? `https://github.com${end}` : null;
    return finishedJob({ id, version: 1, createdAt, branch, prLink, turns });
  });
  await using world = await startLocalWorld({ service: { jobs: shown } });
  const { summary } = await run(world, { action: "jobs", eventName: "workflow_dispatch" });
  const { repository, url: origin } = world.github;
  return [summaryBox("list-jobs summary", summary, { repository, origin })];
}

/** Each action's picture, with the width of its page in CSS pixels. */
export const SCENES: Record<string, { width: number; show: () => Promise<Html[]> }> = {
  comment: { width: 800, show: comment },
  upkeep: { width: 860, show: upkeep },
  collect: { width: 800, show: collect },
  queue: { width: 860, show: queue },
  assistant: { width: 800, show: assistant },
  gate: { width: 860, show: gate },
  land: { width: 860, show: land },
  jobs: { width: 960, show: jobs },
};
