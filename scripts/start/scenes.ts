/** What `npm start` shows: a run for an issue, then upkeep, a queue, a preview and doctor, each in the local world. */

import { readFileSync } from "node:fs";
import type { LocalWorld } from "../../emulator/local-world/index.ts";
import { type RunOptions, type RunResult, runAction } from "../../emulator/runner/runner.ts";
import type * as records from "../../playground/site/records.ts";
import { issueOpened, localStep } from "../events.ts";
import { details, heading, log, say, text, withoutHidden } from "./console.ts";

/** A workflow with a schedule. */
const EXAMPLE = new URL("../../examples/upkeep.yml", import.meta.url);

/** GitHub's clock between two runs of the schedule, in milliseconds. */
const HOUR = 60 * 60_000;

/** Shows everything, one after the other. @throws if a step fails */
export async function showScenes(world: LocalWorld): Promise<void> {
  await showIssueRun(world);
  await showUpkeep(world);
  await showQueue(world);
  await showPreview(world);
  await showDoctor(world);
}

/** An issue is opened, a workflow runs the action on it, and the agent opens a pull request. */
async function showIssueRun(world: LocalWorld): Promise<void> {
  const { github, service } = world;
  const problem = "The page about keys says how to create one, but not how to replace one safely.";
  const prompt = "Write a page that explains how to rotate a key without downtime.";
  const opened = await issueOpened("Explain how to rotate a key", problem)(world);
  const issue = opened.payload.issue as records.IssueRecord;
  heading(`An issue is opened: #${issue.number} ${issue.title}`);
  text(problem);

  heading("The workflow's step");
  const step = { prompt, "api-key": "***", "project-id": service.projectId };
  details({ uses: "OWNER/docs-agent-action@v1", ...step });
  heading("The action's log");
  const { outputs, summary } = await runStep(world, {
    eventName: opened.event,
    event: opened.payload,
    // The emulated job takes seconds, not minutes.
    inputs: { prompt, "poll-interval-seconds": "1" },
  });

  heading("Outputs");
  details(Object.fromEntries(Object.entries(outputs).filter(([, value]) => value !== "")));
  const reply = await commentsOn(world, issue.number);
  heading(`The comment on issue #${issue.number}`);
  text(reply);
  heading("The step summary, on the page of the workflow run");
  const shown = withoutHidden(summary);
  text(shown === reply ? "The same text." : shown || "There is none.");

  const pull = await github.api<records.PullRecord>(`/pulls/${outputs.prNumber}`);
  heading(`The pull request: #${pull.number} ${pull.title}`);
  details({ by: pull.user.login, branch: `${pull.head.ref} → ${pull.base.ref}` });
  const files = await github.api<records.FileRecord[]>(`/pulls/${pull.number}/files`);
  for (const { filename, status, patch } of files) text(`${filename} (${status})\n${patch ?? ""}`);
}

/** Pull requests are merged, upkeep hands them to the agent, and its dashboard and its ledger show it. */
async function showUpkeep(world: LocalWorld): Promise<void> {
  const { home, emulated } = world.github;
  // Changes before this scene are not shown.
  const step = { action: "upkeep", inputs: { since: home.tip() } };
  const shown = ["result", "changeCount", "waitingCount", "dashboardUrl"];
  heading("Three pull requests are merged");
  for (const [title, labels] of [
    ["Retry webhooks three times", []],
    ["Sort the imports", ["skip-docs"]],
    ["Add the flag --output", []],
  ] as const) {
    const { number } = home.land({ title, labels: [...labels] }, "squash");
    text(`#${number} ${title}${labels.map((label) => ` (label ${label})`)}`);
  }
  heading("Upkeep's first run: hands the changes to the agent, and does not wait");
  await runOnSchedule(world, step, shown);
  say("", "The run has ended. The agent works on, for a few seconds.");
  await world.service.untilJobsEnd();
  heading("Upkeep's next run, an hour later: finds the job ended");
  emulated.site.advance(HOUR);
  await runOnSchedule(world, step, shown);
  await showLedger(world, "upkeep");
}

/** A queue works through a list of tasks in several runs; its dashboard and its ledger show the progress. */
async function showQueue(world: LocalWorld): Promise<void> {
  const file = "docs/tasks.yml";
  const task = (id: string, prompt: string, steering: string) =>
    `- id: ${id}\n  prompt: |\n    ${prompt}\n    emulate: ${steering}\n`;
  const tasks = [
    task("users", "Document the endpoints below /users.", "duration=200ms"),
    task("orders", "Document the endpoints below /orders.", "duration=200ms"),
    task("style", "Apply the style guide to the first page.", "duration=200ms outcome=no-changes"),
    task("mistake", "This one is refused.", "nonsense"),
  ].join("");
  heading(`A queue's tasks: ${file}`);
  say('The lines "emulate:" steer the emulated service: the last one makes it refuse.', "");
  text(tasks);
  const inputs = { "tasks-file": file, "max-running": "2" };
  const step = { action: "queue", workspaceFiles: { [file]: tasks }, inputs };
  const shown = ["result", "startedCount", "doneCount", "waitingCount"];
  for (let run = 1; run <= 4; run++) {
    heading(`The queue's hourly run ${run}: at most two tasks at a time`);
    await runOnSchedule(world, step, shown);
    await world.service.untilJobsEnd();
    world.github.emulated.site.advance(HOUR);
  }
  await showLedger(world, "queue");
}

/** A pull request changes a page, and deploy builds its preview, which GitHub shows as a deployment. */
async function showPreview(world: LocalWorld): Promise<void> {
  const { home } = world.github;
  const commits = [{ files: { "docs/limits.md": "# Limits\n" } }];
  const { number, title, branch } = home.openPull({ title: "Explain the limits", commits });
  heading(`A pull request changes the documentation: #${number} ${title}`);
  const pull_request = await world.github.api(`/pulls/${number}`);
  heading("Deploy's run: builds a preview of the branch, and waits for it");
  const { outputs } = await runStep(world, {
    action: "deploy",
    eventName: "pull_request",
    event: { action: "opened", number, pull_request },
    inputs: { branch, comment: "true", "poll-interval-seconds": "1" },
  });
  details({ status: outputs.status, url: outputs.url });
  heading(`The comment on pull request #${number}`);
  text(await commentsOn(world, number));
  heading("The deployment, which the pull request shows with a button View deployment");
  const [deployment] = home.deployments;
  details({
    environment: deployment?.environment,
    commit: deployment?.sha.slice(0, 7),
    states: deployment?.statuses.map(({ state }) => state).join(" → "),
    link: deployment?.statuses.at(-1)?.environment_url,
  });
}

/** A set-up has a wrong key, no Issues and a disabled schedule, and doctor reports all of it at once. */
async function showDoctor(world: LocalWorld): Promise<void> {
  const { home } = world.github;
  const file = ".github/workflows/docs.yml";
  home.push({ files: { [file]: readFileSync(EXAMPLE, "utf8") } });
  home.workflowStates.set(file, "disabled_inactivity");
  home.hasIssues = false;
  heading("Doctor's run in a set-up with three mistakes: it fails, and names all of them");
  const inputs = { "api-key": "mint_expired" };
  const { summary } = await runStep(world, { action: "doctor", inputs }, 1);
  heading("The step summary, on the page of the workflow run");
  text(withoutHidden(summary));
  home.workflowStates.delete(file);
  home.workflowsEnabledAt.set(file, home.site.now);
  home.hasIssues = true;
  heading("Doctor's run after they were corrected");
  const { outputs } = await runStep(world, { action: "doctor" });
  details({ verdict: outputs.verdict });
}

/** Runs the main and the post entry of a step, and shows the log. @throws if the exit code is not the expected one */
async function runStep(world: LocalWorld, options: RunOptions, expected = 0): Promise<RunResult> {
  const step = { ...localStep(world, options), onLine: log() };
  const main = await runAction(step);
  const post = await runAction({ ...step, entry: "post", state: main.state });
  if (main.exitCode !== expected || post.exitCode !== 0) {
    throw new Error(`The action ended with exit codes ${main.exitCode} and ${post.exitCode}.`);
  }
  return { ...main, summary: main.summary + post.summary };
}

/** A run that the schedule starts; shows some of its outputs. */
async function runOnSchedule(
  world: LocalWorld,
  options: RunOptions,
  shown: string[],
): Promise<Record<string, string>> {
  const { outputs } = await runStep(world, { eventName: "schedule", ...options });
  details(Object.fromEntries(shown.map((name) => [name, outputs[name]])));
  return outputs;
}

async function commentsOn({ github }: LocalWorld, number: number): Promise<string> {
  const comments = await github.api<records.CommentRecord[]>(`/issues/${number}/comments`);
  return withoutHidden(comments.map(({ body }) => body).join("\n\n")) || "There is none.";
}

/** Shows the dashboard of an action, and its ledger in git. */
async function showLedger({ github }: LocalWorld, action: string): Promise<void> {
  const [issue] = await github.api<records.IssueRecord[]>(`/issues?labels=docs-${action}`);
  heading(`The dashboard: issue #${issue?.number ?? ""} ${issue?.title ?? ""}`);
  text(withoutHidden(issue?.body ?? "There is none."));

  const [ledger] = await github.api<{ ref: string; object: { sha: string } }[]>(
    `/git/matching-refs/docs-agent/${action}/`,
  );
  heading(`The ledger: ${ledger?.ref ?? "there is none"}`);
  const commits = await github.api<{ sha: string; commit: { message: string } }[]>(
    `/commits?sha=${ledger?.object.sha ?? ""}`,
  );
  for (const { sha, commit } of commits) {
    text(`${sha.slice(0, 7)} ${commit.message.split("\n", 1)[0] ?? ""}`);
  }
}
