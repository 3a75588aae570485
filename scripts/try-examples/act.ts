/** Runs a workflow with act (https://github.com/nektos/act), which plays GitHub's runner on this machine. */

import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { parse, stringify } from "yaml";
import { type RunOutcome, readActLog } from "./act-log.ts";
import { killTree } from "./processes.ts";
import { ROOT } from "./sources.ts";
import type { WorkflowFile } from "./workflow-file.ts";

export interface ActRun {
  workflow: WorkflowFile;
  /** Name of the event. */
  event: string;
  payload: object;
  /** Texts by their paths in the repository that the workflow is in. */
  files: Record<string, string>;
  secrets: Record<string, string>;
  variables: Record<string, string>;
  /** Number of the workflow run. */
  id: number;
}

export interface ActResult extends RunOutcome {
  exitCode: number | null;
  isTimeout: boolean;
}

/** `owner/name` of the repository that workflows run in. */
const REPOSITORY = "acme/docs";
const PUBLISHED = "OWNER/docs-agent-action@v1";
/** The longest example waits for two jobs, of seconds each. */
const LIMIT_MS = 90_000;
const ACT = process.env.ACT || "act";

/** Version of act; undefined: this machine has none. */
export function actVersion(): string | undefined {
  const { status, stdout } = spawnSync(ACT, ["--version"], { encoding: "utf8" });
  return status === 0 ? stdout.replace("act version", "").trim() : undefined;
}

/** act, with folders of its own: nothing of the person's is read or written. */
export class Act {
  readonly #folder = mkdtempSync(path.join(os.tmpdir(), "docs-agent-try-"));
  readonly #running = new Set<number>();
  readonly #action = path.join(this.#folder, "action");
  #count = 0;

  constructor() {
    // Of the checkout, what a runner loads: act copies the whole folder for each step that uses it.
    for (const file of ["dist", ...globSync(["action.yml", "*/action.yml"], { cwd: ROOT })]) {
      cpSync(path.join(ROOT, file), path.join(this.#action, file), { recursive: true });
    }
  }

  /** Runs a workflow to its end, or to its time limit. */
  async run(run: ActRun): Promise<ActResult> {
    this.#count += 1;
    const folder = path.join(this.#folder, String(this.#count));
    const repository = path.join(folder, "repository");
    makeRepository(repository, run);
    const eventFile = path.join(folder, "event.json");
    writeFileSync(eventFile, JSON.stringify(run.payload));
    const child = spawn(ACT, [...argumentsOf(run, this.#action), "--eventpath", eventFile], {
      cwd: repository,
      env: environmentIn(folder),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const { pid } = child;
    if (pid !== undefined) this.#running.add(pid);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    let isTimeout = false;
    const timer = setTimeout(() => {
      isTimeout = true;
      if (pid !== undefined) killTree(pid);
    }, LIMIT_MS);
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject).once("close", resolve);
    }).finally(() => clearTimeout(timer));
    if (pid !== undefined) this.#running.delete(pid);
    return { exitCode, isTimeout, ...readActLog(output) };
  }

  /** Ends what is running, and removes all folders. */
  close(): void {
    for (const pid of this.#running) killTree(pid);
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Names of the inputs that an action declares, by its folder. */
export function inputsOf(action: string): string[] {
  const { inputs } = parse(readFileSync(path.join(ROOT, action, "action.yml"), "utf8"));
  return Object.keys(inputs);
}

function argumentsOf({ event, secrets, variables, id }: ActRun, action: string): string[] {
  const pairs = (option: string, values: Record<string, string>) =>
    Object.entries(values).flatMap(([name, value]) => [option, `${name}=${value}`]);
  return [
    ...[event, "--json", "--no-cache-server", "--platform", "ubuntu-latest=-self-hosted"],
    ...["--local-repository", `${PUBLISHED}=${action}`, "--env", `GITHUB_RUN_ID=${id}`],
    ...[...pairs("--secret", secrets), ...pairs("--var", variables)],
  ];
}

function makeRepository(folder: string, { workflow, files }: ActRun): void {
  const all = {
    "README.md": "# Docs\n",
    ...files,
    ".github/workflows/try.yml": stringify(workflow),
  };
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: folder, env: environmentIn(path.dirname(folder)) });
  git("init", "--quiet", "--initial-branch", "main");
  git("remote", "add", "origin", `https://github.com/${REPOSITORY}.git`);
  git("add", ".");
  const person = ["-c", "user.name=writer", "-c", "user.email=writer@users.noreply.github.com"];
  git(...person, "commit", "--quiet", "--message", "Add the workflow");
}

/** Homes and caches in a folder, and the Node that runs this, which act takes for its own. */
function environmentIn(folder: string): Record<string, string> {
  const home = path.join(folder, "home");
  mkdirSync(home, { recursive: true });
  return {
    PATH: [path.dirname(process.execPath), process.env.PATH ?? ""].join(path.delimiter),
    ...{ HOME: home, XDG_CACHE_HOME: path.join(home, "cache") },
    ...{ XDG_CONFIG_HOME: path.join(home, "config"), XDG_DATA_HOME: path.join(home, "data") },
    ...{ TMPDIR: home, LANG: "C.UTF-8", GIT_CONFIG_NOSYSTEM: "1" },
  };
}
