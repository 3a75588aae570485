/** An issue is opened, a workflow runs the action on it, and a pull request comes of it. */

import type { LocalWorld } from "../../emulator/local-world/index.ts";
import type { RunOptions, RunResult } from "../../emulator/runner/runner.ts";
import { details, heading, log, text, withoutHidden } from "./console.ts";
import { StartError } from "./requirements.ts";

const ISSUE = {
  title: "Explain how to rotate a key",
  body: "The page about keys says how to create one, but not how to replace one safely.",
};

const PROMPT = "Write a page that explains how to rotate a key without downtime.";

interface Issue {
  number: number;
  title: string;
  body: string;
}

interface Pull {
  title: string;
  user: { login: string };
  head: { ref: string };
  base: { ref: string };
  html_url: string;
}

/**
 * Opens an issue, runs the action on it as a runner would, and shows the result.
 *
 * @throws StartError when the action failed, or its job did not complete.
 */
export async function showIssueRun(world: LocalWorld): Promise<void> {
  const issue = await openIssue(world);
  const { main, post } = await runWorkflow(world, issue);
  await showResult(world, issue, main, post);
  const failed = [main, post].find(({ exitCode }) => exitCode !== 0);
  if (failed !== undefined) {
    throw new StartError(
      `the action ended with exit code ${failed.exitCode}: ${failed.errors[0] ?? "see its log above"}`,
    );
  }
  const { status } = main.outputs;
  if (status !== "completed") {
    throw new StartError(`the job ended with the status '${status}', not completed.`);
  }
}

async function openIssue({ github }: LocalWorld): Promise<Issue> {
  const issue = await github.api<Issue>("/issues", {
    method: "POST",
    token: github.tokenOf("writer"),
    body: ISSUE,
  });
  heading(`An issue is opened: #${issue.number} ${issue.title}`);
  text(issue.body);
  return issue;
}

/** Runs the main and the post entry of the step. */
async function runWorkflow(
  world: LocalWorld,
  issue: Issue,
): Promise<{ main: RunResult; post: RunResult }> {
  // Loaded here, so that a missing package is reported as what it is.
  const { runAction } = await import("../../emulator/runner/runner.ts");
  const { github, service } = world;
  heading("The workflow's step");
  details({
    uses: "OWNER/docs-agent-action@v1",
    prompt: PROMPT,
    "api-key": "***",
    "project-id": service.projectId,
  });
  const step: RunOptions = {
    inputs: {
      "api-key": service.adminKey,
      "project-id": service.projectId,
      prompt: PROMPT,
      "base-url": service.url,
      // The emulated job takes seconds, not minutes.
      "poll-interval-seconds": "1",
    },
    eventName: "issues",
    event: await issueOpened(world, issue.number),
    repository: github.repository,
    token: github.token,
    apiUrl: github.url,
    serverUrl: github.url,
  };
  heading("The action's log");
  const onLine = log();
  const main = await runAction({ ...step, onLine });
  const post = await runAction({ ...step, entry: "post", state: main.state, onLine });
  return { main, post };
}

async function showResult(
  world: LocalWorld,
  issue: Issue,
  main: RunResult,
  post: RunResult,
): Promise<void> {
  heading("Outputs");
  details(Object.fromEntries(Object.entries(main.outputs).filter(([, value]) => value !== "")));

  const comments = await world.github.api<{ body: string }[]>(`/issues/${issue.number}/comments`);
  heading(`The comment on issue #${issue.number}`);
  const reply = withoutHidden(comments.map(({ body }) => body).join("\n\n"));
  text(reply || "There is none.");

  heading("The step summary, on the page of the workflow run");
  const summary = withoutHidden(`${main.summary}${post.summary}`);
  text(summary === reply ? "The same text." : summary || "There is none.");

  await showPullRequest(world, main.outputs.prNumber ?? "");
}

async function showPullRequest({ github }: LocalWorld, number: string): Promise<void> {
  if (number === "") {
    heading("The pull request");
    text("There is none.");
    return;
  }
  const pull = await github.api<Pull>(`/pulls/${number}`);
  heading(`The pull request: #${number} ${pull.title}`);
  details({ by: pull.user.login, branch: `${pull.head.ref} → ${pull.base.ref}` });
  const files = await github.api<{ filename: string; status: string; patch?: string }[]>(
    `/pulls/${number}/files`,
  );
  for (const { filename, status, patch } of files) text(`${filename} (${status})\n${patch ?? ""}`);
}

/** The payload of the event that starts the workflow. */
async function issueOpened({ github }: LocalWorld, number: number): Promise<object> {
  const [issue, repository] = await Promise.all([
    github.api<{ user: object }>(`/issues/${number}`),
    github.api<object>(""),
  ]);
  return { action: "opened", issue, repository, sender: issue.user };
}
