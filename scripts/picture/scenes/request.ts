// A person writes a comment on the first issue, and a workflow runs an action on it.
import type { LocalWorld } from "../../../emulator/local-world/index.ts";
import type { RunOptions, RunResult } from "../../../emulator/runner/runner.ts";
import type { Part } from "../page.ts";
import { runStep } from "./step.ts";

interface IssueComment {
  id: number;
  body: string;
  html_url: string;
  user: { login: string };
}

/** A comment that asks, and where it is. */
export interface Request {
  title: Part;
  comment: IssueComment;
}

/** Writes a comment on the first issue, and runs an action that asks by phrase on it. */
export async function ask(
  world: LocalWorld,
  body: string,
  options: RunOptions,
): Promise<{ request: Request; step: RunResult }> {
  const { github } = world;
  const issue = await github.api<{ number: number; title: string }>("/issues/1");
  const comment = await github.api<IssueComment>("/issues/1/comments", {
    method: "POST",
    token: github.tokenOf("writer"),
    body: { body },
  });
  const repository = await github.api<object>("");
  const step = await runStep(world, {
    eventName: "issue_comment",
    event: { action: "created", issue, comment, repository, sender: comment.user },
    ...options,
  });
  return {
    request: { title: { kind: "title", title: issue.title, number: issue.number }, comment },
    step,
  };
}

/** The comment that asked, as GitHub has it now. */
export async function askingComment({ github }: LocalWorld, { comment }: Request): Promise<Part> {
  const reactions = await github.reactions();
  return {
    kind: "comment",
    author: comment.user.login,
    body: comment.body,
    reactions: reactions.map(({ content }) => content),
  };
}

/** The comment that a step wrote, as GitHub has it now. */
export async function answeringComment({ github }: LocalWorld, url: string): Promise<Part> {
  const comments = await github.api<IssueComment[]>("/issues/1/comments");
  const answer = comments.find(({ html_url }) => html_url === url);
  if (answer === undefined) throw new Error("The action wrote no comment.");
  return { kind: "comment", author: answer.user.login, body: answer.body };
}
