/**
 * `npm start`: the action at work in the local world, in one look.
 *
 *     npm start                    shows one run, and ends
 *     npm start -- --keep          keeps the world up until Ctrl-C and prints its addresses
 *     npm start -- --port 4000     service on this port, GitHub on the two after it
 */

import { existsSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import type { LocalWorld } from "../emulator/local-world/index.ts";
import { details, heading, log, say, text } from "./start-output.ts";

/** What a person has to change before this can work. */
class Trouble extends Error {}

const OLDEST_NODE = 24;
const ROOT = path.join(import.meta.dirname, "..");

const ISSUE = {
  title: "Explain how to rotate a key",
  body: "The page about keys tells how to create one, and not how to replace one safely.",
};

const PROMPT = "Write a page that explains how to rotate a key without downtime.";

// Whoever reads along may leave early, as `head` does.
process.stdout.once("error", () => process.exit(1));

try {
  await main();
} catch (error) {
  say("", `Could not go on: ${explain(error)}`);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const options = readOptions();
  checkGround();

  const { startLocalWorld } = await import("../emulator/local-world/index.ts");
  const world = await startLocalWorld({
    issues: [],
    inspector: true,
    ...(options.port === undefined ? {} : { port: options.port }),
  });
  process.once("SIGINT", () => {
    say("", "Stopped.");
    void world.close().finally(() => process.exit(options.keep ? 0 : 130));
  });

  try {
    await show(world);
    if (options.keep) await keep(world);
  } finally {
    await world.close();
  }
}

function readOptions(): { keep: boolean; port: number | undefined } {
  const { values } = parseArgs({
    options: { keep: { type: "boolean", default: false }, port: { type: "string" } },
  });
  if (values.port === undefined) return { keep: values.keep, port: undefined };
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_533) {
    throw new Trouble(`--port takes a number from 1 to 65533, not '${values.port}'.`);
  }
  return { keep: values.keep, port };
}

/** @throws Trouble when this machine or this checkout lacks something that a run needs. */
function checkGround(): void {
  const [major] = process.versions.node.split(".");
  if (Number(major) < OLDEST_NODE) {
    throw new Trouble(
      `this is Node ${process.versions.node}, and it takes Node ${OLDEST_NODE} or later. 'npm install && npm start' brings its own.`,
    );
  }
  for (const file of ["action.yml", "dist/main/index.js", "dist/post/index.js"]) {
    if (!existsSync(path.join(ROOT, file))) {
      throw new Trouble(`${file} is missing. 'npm run build' makes dist/ from the source.`);
    }
  }
}

/** Opens an issue, runs the action on it as a runner would, and shows what came of it. */
async function show(world: LocalWorld): Promise<void> {
  const { runAction } = await import("../emulator/runner/runner.ts");
  const { github, service } = world;

  heading("The local world");
  details({
    "documentation service": service.url,
    GitHub: `${github.url}, repository ${github.repository}`,
  });

  const issue = await github.api<{ number: number; title: string; body: string }>("/issues", {
    method: "POST",
    token: github.tokenOf("writer"),
    body: ISSUE,
  });
  heading(`An issue is opened: #${issue.number} ${issue.title}`);
  text(issue.body);

  const inputs = {
    "api-key": service.adminKey,
    "project-id": service.projectId,
    prompt: PROMPT,
    "base-url": service.url,
    // The emulated job takes seconds, not minutes.
    "poll-interval-seconds": "1",
  };
  const step = {
    inputs,
    eventName: "issues",
    event: await issueOpened(world, issue.number),
    repository: github.repository,
    token: github.token,
    apiUrl: github.url,
    serverUrl: github.url,
  };

  heading("The workflow's step");
  details({ prompt: PROMPT, "api-key": "***", "project-id": service.projectId });
  heading("The action's log");
  const onLine = log();
  const main = await runAction({ ...step, onLine });
  const post = await runAction({ ...step, entry: "post", state: main.state, onLine });

  heading("Outputs");
  details(Object.fromEntries(Object.entries(main.outputs).filter(([, value]) => value !== "")));

  const comments = await github.api<{ body: string }[]>(`/issues/${issue.number}/comments`);
  heading(`The comment on issue #${issue.number}`);
  text(comments.map(({ body }) => body).join("\n\n") || "There is none.");

  heading("The step summary");
  text(`${main.summary}${post.summary}` || "There is none.");

  const { status, prNumber = "" } = main.outputs;
  await showPullRequest(world, prNumber);

  if (main.exitCode !== 0 || post.exitCode !== 0) {
    const failed = main.exitCode === 0 ? post : main;
    throw new Trouble(
      `the action ended with exit code ${failed.exitCode}: ${failed.errors[0] ?? "see its log above"}`,
    );
  }
  if (status !== "completed") throw new Trouble(`the job ended as '${status}', not completed.`);
}

async function showPullRequest({ github }: LocalWorld, number: string): Promise<void> {
  if (number === "") {
    heading("The pull request");
    text("There is none.");
    return;
  }
  const pull = await github.api<{
    title: string;
    user: { login: string };
    head: { ref: string };
    base: { ref: string };
    html_url: string;
  }>(`/pulls/${number}`);
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

/** Leaves the world up for whoever wants to look around in it. */
async function keep({ github, service }: LocalWorld): Promise<void> {
  heading("The world stays up until Ctrl-C");
  details({
    service: service.url,
    "its inspector": service.inspectorUrl,
    "its admin key": service.adminKey,
    "its assistant key": service.assistantKey,
    "its project": service.projectId,
    GitHub: github.url,
    "GitHub's inspector": github.inspectorUrl,
    "a GitHub token": github.token,
  });
  await new Promise(() => {});
}

function explain(error: unknown): string {
  if (error instanceof Trouble) return error.message;
  const { code, message, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === "EADDRINUSE") return `port ${port} is taken. Choose another with --port.`;
  if (code === "ERR_MODULE_NOT_FOUND") return `${message}. Run 'npm install' first.`;
  if (code?.startsWith("ERR_PARSE_ARGS") === true) return `${message}. Try --keep or --port N.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
