/** An issue is opened, a workflow runs the action on it, and a pull request comes of it. */

import type { LocalWorld } from "../../emulator/local-world/index.ts";
import { details, heading, StartError, text, withoutHidden } from "./console.ts";
import { checkExit, runStep } from "./step.ts";

const ISSUE = {
  title: "Explain how to rotate a key",
  body: "The page about keys says how to create one, but not how to replace one safely.",
};
const PROMPT = "Write a page that explains how to rotate a key without downtime.";

interface Pull {
  title: string;
  user: { login: string };
  head: { ref: string };
  base: { ref: string };
}

/**
 * Opens an issue, runs the action on it as a runner would, and shows the result.
 *
 * @throws StartError when the action failed, or its job did not complete.
 */
export async function showIssueRun(world: LocalWorld): Promise<void> {
  const { github, service } = world;
  const token = github.tokenOf("writer");
  const opened = { method: "POST", token, body: ISSUE };
  const issue = await github.api<{ number: number; user: object }>("/issues", opened);
  heading(`An issue is opened: #${issue.number} ${ISSUE.title}`);
  text(ISSUE.body);

  heading("The workflow's step");
  details({
    uses: "OWNER/docs-agent-action@v1",
    prompt: PROMPT,
    "api-key": "***",
    "project-id": service.projectId,
  });
  const repository = await github.api<object>("");
  heading("The action's log");
  const ran = await runStep(world, {
    eventName: "issues",
    event: { action: "opened", issue, repository, sender: issue.user },
    // The emulated job takes seconds, not minutes.
    inputs: { prompt: PROMPT, "poll-interval-seconds": "1" },
  });
  const { outputs, summary } = ran.main;

  heading("Outputs");
  details(Object.fromEntries(Object.entries(outputs).filter(([, value]) => value !== "")));
  const comments = await github.api<{ body: string }[]>(`/issues/${issue.number}/comments`);
  heading(`The comment on issue #${issue.number}`);
  const reply = withoutHidden(comments.map(({ body }) => body).join("\n\n"));
  text(reply || "There is none.");
  heading("The step summary, on the page of the workflow run");
  const shown = withoutHidden(`${summary}${ran.post.summary}`);
  text(shown === reply ? "The same text." : shown || "There is none.");
  checkExit(ran);
  if (outputs.status !== "completed") {
    throw new StartError(`the job ended with the status '${outputs.status}', not completed.`);
  }
  await showPullRequest(world, outputs.prNumber ?? "");
}

async function showPullRequest({ github }: LocalWorld, number: string): Promise<void> {
  const pull = await github.api<Pull>(`/pulls/${number}`);
  heading(`The pull request: #${number} ${pull.title}`);
  details({ by: pull.user.login, branch: `${pull.head.ref} → ${pull.base.ref}` });
  const files = await github.api<{ filename: string; status: string; patch?: string }[]>(
    `/pulls/${number}/files`,
  );
  for (const { filename, status, patch } of files) text(`${filename} (${status})\n${patch ?? ""}`);
}
