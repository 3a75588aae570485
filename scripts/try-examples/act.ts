/** Runs a workflow with act (https://github.com/nektos/act), in place of GitHub's runner. */

import { execFile, execFileSync, spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { stringify } from "yaml";
import { ROOT, type WorkflowFile } from "./workflow.ts";

export interface ActRun {
  workflow: WorkflowFile;
  /** Name of the event. */
  event: string;
  payload: object;
  /** Texts by their paths in the repository that the workflow is in. */
  files: Record<string, string>;
  env: Record<string, string>;
  secret: Record<string, string>;
  var: Record<string, string>;
  /** Called with the SHA of the commit that the run is of, unless the event names another. */
  onCommit(sha: string): void;
}

export interface ActResult extends ActLog {
  isSuccess: boolean;
}

interface ActLog {
  /** Outputs of the steps of all jobs, as `name=value`. */
  outputs: string[];
  /** Lines of the log, as a person reads them. */
  log: string[];
}

/** `owner/name` of the repository that workflows run in. */
export const REPOSITORY = "acme/docs";
/** The longest example waits for two jobs, of seconds each. */
const LIMIT_MS = 90_000;
/** Labels of runners in the examples: all of them are this machine. */
const RUNNERS = ["ubuntu-latest", "self-hosted"];
const MAX_LOG = 64 * 1024 * 1024;
const ACT = process.env.ACT || "act";

/** Version of act; undefined if this machine has none. */
export function actVersion(): string | undefined {
  const { status, stdout } = spawnSync(ACT, ["--version"], { encoding: "utf8" });
  return status === 0 ? stdout.replace("act version", "").trim() : undefined;
}

/** act, with folders of its own, so that it reads and writes none of the user's. */
export class Act {
  readonly #folder = mkdtempSync(path.join(os.tmpdir(), "docs-agent-try-"));
  readonly #action = path.join(this.#folder, "action");
  readonly #closing = new AbortController();
  #count = 0;

  constructor() {
    // Only the files that a runner loads, because act copies the whole folder for each step.
    for (const file of ["dist", ...globSync(["action.yml", "*/action.yml"], { cwd: ROOT })]) {
      cpSync(path.join(ROOT, file), path.join(this.#action, file), { recursive: true });
    }
  }

  /** Runs a workflow to its end. @throws if it takes too long */
  async run({ workflow, event, payload, files, onCommit, ...options }: ActRun): Promise<ActResult> {
    this.#count += 1;
    const folder = path.join(this.#folder, String(this.#count));
    const env = environmentIn(folder);
    const repository = path.join(folder, "repository");
    const all = { ...files, ".github/workflows/try.yml": stringify(workflow) };
    onCommit(makeRepository(repository, all, env));
    const eventFile = path.join(folder, "event.json");
    writeFileSync(eventFile, JSON.stringify(payload));
    const args = [
      event,
      "--json",
      "--no-cache-server",
      "--eventpath",
      eventFile,
      ...RUNNERS.flatMap((label) => ["--platform", `${label}=-self-hosted`]),
      "--local-repository",
      `OWNER/docs-agent-action@v1=${this.#action}`,
      "--env",
      `GITHUB_RUN_ID=${1000 + this.#count}`,
      ...Object.entries(options).flatMap(([option, values]) =>
        Object.entries(values).flatMap(([name, value]) => [`--${option}`, `${name}=${value}`]),
      ),
    ];
    // On SIGTERM, act also ends the processes of its steps.
    const limits = { timeout: LIMIT_MS, signal: this.#closing.signal, maxBuffer: MAX_LOG };
    return await new Promise((resolve, reject) => {
      execFile(ACT, args, { cwd: repository, env, ...limits }, (error, stdout, stderr) => {
        if (error?.killed === true) reject(new Error("the run took too long and was ended"));
        else resolve({ isSuccess: error === null, ...readLog(`${stdout}\n${stderr}`) });
      });
    });
  }

  /** Ends what is running, and removes all folders. */
  close(): void {
    this.#closing.abort();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Reads what `act --json` prints; a line that is not JSON is text of the log. */
function readLog(text: string): ActLog {
  const outputs: string[] = [];
  const log: string[] = [];
  for (const line of text.split("\n")) {
    const { stage, command, name, arg, msg } = asJson(line) ?? { msg: line };
    if (stage === "Main" && command === "set-output") outputs.push(`${name}=${arg}`);
    if (msg?.trim()) log.push(msg.trimEnd());
  }
  return { outputs, log };
}

function asJson(text: string): Record<string, string> | undefined {
  try {
    return Object(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** @returns the SHA of its commit */
function makeRepository(
  cwd: string,
  files: Record<string, string>,
  env: NodeJS.ProcessEnv,
): string {
  for (const [file, text] of Object.entries({ "README.md": "# Docs\n", ...files })) {
    mkdirSync(path.dirname(path.join(cwd, file)), { recursive: true });
    writeFileSync(path.join(cwd, file), text);
  }
  const git = (...args: string[]) => execFileSync("git", args, { cwd, env, encoding: "utf8" });
  git("init", "--quiet", "--initial-branch", "main");
  git("remote", "add", "origin", `https://github.com/${REPOSITORY}.git`);
  git("add", ".");
  const person = ["-c", "user.name=writer", "-c", "user.email=writer@users.noreply.github.com"];
  git(...person, "commit", "--quiet", "--message", "Add the workflow");
  return git("rev-parse", "HEAD").trim();
}

/** Home and caches in a folder, and this Node for the steps. */
function environmentIn(folder: string): NodeJS.ProcessEnv {
  const home = path.join(folder, "home");
  mkdirSync(home, { recursive: true });
  return {
    PATH: [path.dirname(process.execPath), process.env.PATH ?? ""].join(path.delimiter),
    HOME: home,
    TMPDIR: home,
    LANG: "C.UTF-8",
    GIT_CONFIG_NOSYSTEM: "1",
  };
}
