/** An issue is opened, a workflow runs the action on it, and a pull request comes of it. */

import type { LocalWorld } from "../../emulator/local-world/index.ts";
import { details, heading, text, withoutHidden } from "./console.ts";
import { StartError } from "./requirements.ts";
import { checkExit, runStep, type StepRun } from "./step.ts";

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
  const ran = await runWorkflow(world, issue);
  await showResult(world, issue, ran);
  checkExit("the action", ran);
  const { status } = ran.main.outputs;
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

/** Runs the step of the workflow. */
async function runWorkflow(world: LocalWorld, issue: Issue): Promise<StepRun> {
  heading("The workflow's step");
  details({
    uses: "OWNER/docs-agent-action@v1",
    prompt: PROMPT,
    "api-key": "***",
    "project-id": world.service.projectId,
  });
  const event = await issueOpened(world, issue.number);
  heading("The action's log");
  // The emulated job takes seconds, not minutes.
  const inputs = { prompt: PROMPT, "poll-interval-seconds": "1" };
  return await runStep(world, { eventName: "issues", event, inputs });
}

async function showResult(world: LocalWorld, issue: Issue, { main, post }: StepRun): Promise<void> {
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
