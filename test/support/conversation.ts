/** People who talk on the emulated GitHub, and a workflow that runs the action when they do. */

import {
  type LocalWorld,
  type LocalWorldOptions,
  startLocalWorld,
} from "../../emulator/local-world/index.ts";
import {
  type RunningAction,
  type RunOptions,
  type RunResult,
  startAction,
} from "../../emulator/runner/runner.ts";
import { byPhrase, comment, reviewComment, type Writing } from "./phrase-events.ts";
import { runAction } from "./run-action.ts";

export interface SaidComment {
  id: number;
  body: string;
  html_url: string;
  user: { login: string };
  created_at: string;
}

export interface Conversation extends AsyncDisposable {
  world: LocalWorld;
  /** Somebody writes on an issue or pull request, and the workflow runs to its end. */
  say(number: number, body: string, how?: How): Promise<RunResult>;
  /** The same, and the workflow has only begun to run. */
  begin(number: number, body: string, how?: How): Promise<RunningAction>;
  comments(number: number): Promise<SaidComment[]>;
  /** The contents of the reactions to a comment, in order. */
  reactionsTo(commentId: number): Promise<string[]>;
}

interface How {
  /** Default: `writer`. */
  by?: string;
  inputs?: Record<string, string>;
  /** On a line of the pull request's change. */
  onLine?: { path: string; line: number; hunk: string };
  attempt?: number;
  runId?: string;
}

interface Subject {
  title: string;
  body: string | null;
  html_url: string;
}

export async function startConversation(options: LocalWorldOptions = {}): Promise<Conversation> {
  const world = await startLocalWorld({ steering: { durationMs: 150 }, ...options });
  const { github, service } = world;
  let runs = 3000;

  /** Somebody writes, and this is the run that comes of it. */
  const runAfter = async (number: number, body: string, how: How = {}): Promise<RunOptions> => {
    const { by = "writer", inputs = {}, onLine } = how;
    const pull = await github.api<Subject | undefined>(`/pulls/${number}`, { allow: [404] });
    const subject = pull ?? (await github.api<Subject>(`/issues/${number}`));
    const said = await write(number, body, by, onLine);
    const writing: Writing = {
      number,
      id: said.id,
      by: { login: by, type: by.endsWith("[bot]") ? "Bot" : "User" },
      onPullRequest: pull !== undefined,
      subject: { title: subject.title, body: subject.body, html_url: subject.html_url },
      repository: github.repository,
      serverUrl: github.url,
    };
    if (onLine !== undefined) {
      writing.remark = { path: onLine.path, line: onLine.line, diff_hunk: onLine.hunk };
    }
    const event = onLine === undefined ? comment : reviewComment;
    runs += 1;
    const run: RunOptions = {
      ...byPhrase(event(body, writing)),
      repository: github.repository,
      apiUrl: github.url,
      serverUrl: github.url,
      token: github.token,
      runId: how.runId ?? String(runs),
      attempt: how.attempt ?? 1,
    };
    run.inputs = {
      ...run.inputs,
      "api-key": service.adminKey,
      "project-id": service.projectId,
      "base-url": service.url,
      "poll-interval-seconds": "0.05",
      "poll-max-interval-seconds": "0.1",
      ...inputs,
    };
    return run;
  };

  const write = (number: number, body: string, by: string, onLine: How["onLine"]) => {
    const token = github.tokenOf(by);
    if (onLine === undefined) {
      const call = { method: "POST", token, body: { body } };
      return github.api<SaidComment>(`/issues/${number}/comments`, call);
    }
    const { path, line } = onLine;
    const call = { method: "POST", token, body: { body, path, line, side: "RIGHT" } };
    return github.api<SaidComment>(`/pulls/${number}/comments`, call);
  };

  return {
    world,
    begin: async (number, body, how) => startAction(await runAfter(number, body, how)),
    say: async (number, body, how) => runAction(await runAfter(number, body, how)),
    comments: (number) => github.api(`/issues/${number}/comments?per_page=100`),
    reactionsTo: async (id) => {
      const all = await github.reactions();
      const own = all.filter(({ subject }) => subject.endsWith(`/comments/${id}`));
      return own.map(({ content }) => content);
    },
    [Symbol.asyncDispose]: () => world.close(),
  };
}
