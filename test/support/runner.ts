/**
 * Runs an action's committed bundle the way GitHub's runner does: inputs, event and files through
 * the environment, nothing else inherited; and reads back what the runner would read back.
 *
 * Knows nothing of a test framework, because `npm start` uses it as well.
 */

import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { StringDecoder } from "node:string_decoder";
import { fileURLToPath } from "node:url";
import { type ActionMetadata, readActionMetadata, resolveDefault } from "./action-metadata.ts";
import { parseCommandFile } from "./command-files.ts";
import { type Annotation, type LogEntry, parseLog } from "./workflow-commands.ts";

/** The root of this repository, where the first `action.yml` is. */
export const REPOSITORY_ROOT = fileURLToPath(new URL("../..", import.meta.url));

const FAST_CLOCK = new URL("./fast-clock.mjs", import.meta.url).href;

/** Generous, because a machine that runs all tests at once is slow; a stuck step still ends. */
const DEFAULT_LIMIT_MS = 25_000;

/** The runner's own delays when a person cancels: SIGINT, then SIGTERM, then the end. */
const CANCEL_TO_SIGTERM_MS = 7_500;
const SIGTERM_TO_KILL_MS = 2_500;

/** How a step is run; only what matters to a test has to be given. */
export interface RunOptions {
  /** Folder of the `action.yml`, seen from the repository's root. Default: the root itself. */
  action?: string;
  /** Which entry of the action. Default: `main`. */
  entry?: "main" | "post";
  /** What the workflow writes under `with:`. A name the action does not declare is an error. */
  inputs?: Record<string, string>;
  /** Default: `workflow_dispatch`. */
  eventName?: string;
  /** The webhook payload. Default: an empty object. */
  event?: unknown;
  /** Variables on top of the runner's own, for example a proxy. `undefined` takes one away. */
  env?: Record<string, string | undefined>;
  /** Default: `octo/docs`. */
  repository?: string;
  /** Default: `1001`. */
  runId?: string;
  /** Default: `1`. */
  attempt?: number;
  /** `github.token`. Default: a token that no server here checks. */
  token?: string;
  /** `github.api_url`. Default: a port where nothing listens, so that no test reaches the real one. */
  apiUrl?: string;
  /** `github.server_url`. Default: `https://github.com`. */
  serverUrl?: string;
  /** Files in the workspace before the step runs, by relative path. */
  workspaceFiles?: Record<string, string | Uint8Array>;
  /** Anything that a file's content cannot say: folders, symbolic links. */
  prepareWorkspace?: (workspace: string) => void;
  /** The matrix leg of the job. Default: none. */
  matrix?: Record<string, unknown>;
  /** What an earlier entry saved; the post entry finds it as STATE_*. */
  state?: Record<string, string>;
  /** Makes time run this many times faster for the step. Default: 1. */
  fastClock?: number;
  /** After this much real time the step is killed and the run rejects. Default: 25 s. */
  limitMs?: number;
  /** As if the workflow were run with debug logging. */
  debug?: boolean;
  /** Called with each line of output as it arrives. */
  onLine?: (line: string, stream: "stdout" | "stderr") => void;
}

/** What a step left behind. */
export interface RunResult {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** Standard output and standard error, line by line, as the runner reads them. */
  log: LogEntry[];
  /** The messages of `::error::`, and so on, in order. */
  errors: string[];
  warnings: string[];
  notices: string[];
  debug: string[];
  /** Values given to `::add-mask::`. */
  masks: string[];
  /** What a person reads in the log: plain lines and the texts of annotations and groups. */
  visible: string[];
  outputs: Record<string, string>;
  state: Record<string, string>;
  environment: Record<string, string>;
  summary: string;
  durationMs: number;
  /** Every file in the workspace and in RUNNER_TEMP at the end, the runner's own files excepted. */
  files: Record<string, string>;
}

/** A step that is running. */
export interface RunningAction {
  readonly pid: number;
  /** The lines so far. */
  readonly lines: readonly string[];
  /** Resolves when the step has ended, whatever its exit code. */
  readonly result: Promise<RunResult>;
  /** Resolves with the first line, past or to come, that matches. */
  waitForLine(pattern: string | RegExp, limitMs?: number): Promise<string>;
  /** Resolves with the outputs once the file holds a value for this name. */
  waitForOutput(name: string, limitMs?: number): Promise<Record<string, string>>;
  signal(signal: NodeJS.Signals): void;
  /** Cancels as the runner does: SIGINT, 7.5 s later SIGTERM, 2.5 s later SIGKILL. */
  cancel(): void;
}

/** Runs a step to its end. */
export function runAction(options: RunOptions): Promise<RunResult> {
  return startAction(options).result;
}

/** Starts a step and returns at once; its folders are removed when it has ended. */
export function startAction(options: RunOptions): RunningAction {
  const folder = path.resolve(REPOSITORY_ROOT, options.action ?? ".");
  const metadata = readActionMetadata(folder);
  const bundle = entryFile(folder, metadata, options.entry ?? "main");
  const place = makePlace(options);
  const startedAt = performance.now();
  const child = spawn(process.execPath, [bundle], {
    cwd: place.workspace,
    env: environment(options, metadata, place),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const killChild = () => child.kill("SIGKILL");
  process.once("exit", killChild);

  const lines: string[] = [];
  const listeners = new Set<() => void>();
  const streams = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    readLines(child[name], {
      onText: (text) => {
        streams[name] += text;
      },
      onLine: (line) => {
        lines.push(line);
        options.onLine?.(line, name);
        for (const listener of listeners) listener();
      },
    });
  }

  const timers: NodeJS.Timeout[] = [];
  const limitMs = options.limitMs ?? DEFAULT_LIMIT_MS;
  let overdue = false;
  timers.push(
    setTimeout(() => {
      overdue = true;
      child.kill("SIGKILL");
    }, limitMs),
  );

  let ended = false;
  const result = new Promise<RunResult>((resolve, reject) => {
    const finish = (settle: () => void) => {
      ended = true;
      for (const timer of timers) clearTimeout(timer);
      process.off("exit", killChild);
      try {
        settle();
      } catch (error) {
        reject(error);
      } finally {
        rmSync(place.root, { recursive: true, force: true, maxRetries: 3 });
        for (const listener of listeners) listener();
      }
    };
    child.once("error", (error) => finish(() => reject(error)));
    child.once("close", (exitCode, signal) =>
      finish(() => {
        if (overdue) {
          throw new Error(
            `The step did not end within ${limitMs} ms. Its log:\n${lines.join("\n")}`,
          );
        }
        resolve({
          exitCode,
          signal,
          ...streams,
          ...readLog(lines),
          ...readFiles(place),
          durationMs: performance.now() - startedAt,
        });
      }),
    );
  });
  // A test that only looks at lines must not die of a rejection that it also gets elsewhere.
  result.catch(() => {});

  const waitFor = async <T>(what: string, look: () => T | undefined, limit: number): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const check = () => {
      const found = look();
      if (found !== undefined) resolve(found);
      else if (ended) reject(new Error(`The step ended without ${what}:\n${lines.join("\n")}`));
    };
    const timer = setTimeout(
      () => reject(new Error(`No ${what} within ${limit} ms:\n${lines.join("\n")}`)),
      limit,
    );
    // Files have no event that can be trusted on every system, so they are looked at now and then.
    const poll = setInterval(check, 10);
    listeners.add(check);
    check();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      clearInterval(poll);
      listeners.delete(check);
    }
  };

  return {
    pid: child.pid ?? -1,
    lines,
    result,
    waitForLine: (pattern, limit = 10_000) =>
      waitFor(
        `line with ${pattern}`,
        () =>
          lines.find((line) =>
            typeof pattern === "string" ? line.includes(pattern) : pattern.test(line),
          ),
        limit,
      ),
    waitForOutput: (name, limit = 10_000) =>
      waitFor(`output ${name}`, () => readOutputSoFar(place.output, name), limit),
    signal: (signal) => {
      child.kill(signal);
    },
    cancel: () => {
      child.kill("SIGINT");
      timers.push(
        setTimeout(() => child.kill("SIGTERM"), CANCEL_TO_SIGTERM_MS),
        setTimeout(() => child.kill("SIGKILL"), CANCEL_TO_SIGTERM_MS + SIGTERM_TO_KILL_MS),
      );
    },
  };
}

function entryFile(folder: string, metadata: ActionMetadata, entry: "main" | "post"): string {
  const file = metadata[entry];
  if (file === undefined) throw new Error(`${folder}/action.yml names no runs.${entry}`);
  const bundle = path.join(folder, file);
  if (!existsSync(bundle)) throw new Error(`${bundle} is missing: run "npm run build" first`);
  return bundle;
}

/** The folders and files that the runner makes for a step. */
interface Place {
  root: string;
  workspace: string;
  temp: string;
  event: string;
  output: string;
  state: string;
  summary: string;
  env: string;
  path: string;
}

function makePlace(options: RunOptions): Place {
  // Resolved, because on some systems the folder for temporary files is itself a symbolic link.
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), "docs-agent-run-")));
  const workspace = path.join(root, "work", "docs", "docs");
  const temp = path.join(root, "_temp");
  const commands = path.join(temp, "_runner_file_commands");
  const workflow = path.join(temp, "_github_workflow");
  for (const folder of [workspace, commands, workflow]) mkdirSync(folder, { recursive: true });
  const place = {
    root,
    workspace,
    temp,
    event: path.join(workflow, "event.json"),
    output: path.join(commands, "set_output"),
    state: path.join(commands, "save_state"),
    summary: path.join(commands, "step_summary"),
    env: path.join(commands, "set_env"),
    path: path.join(commands, "add_path"),
  };
  for (const file of [place.output, place.state, place.summary, place.env, place.path]) {
    writeFileSync(file, "");
  }
  writeFileSync(place.event, JSON.stringify(options.event ?? {}));
  for (const [name, content] of Object.entries(options.workspaceFiles ?? {})) {
    const file = path.join(workspace, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  options.prepareWorkspace?.(workspace);
  return place;
}

function environment(
  options: RunOptions,
  metadata: ActionMetadata,
  place: Place,
): Record<string, string> {
  const repository = options.repository ?? "octo/docs";
  const github = {
    token: options.token ?? "ghs_TokenOfThisRun",
    api_url: options.apiUrl ?? "http://127.0.0.1:9",
    server_url: options.serverUrl ?? "https://github.com",
    repository,
  };
  const variables: Record<string, string | undefined> = {
    PATH: process.env.PATH,
    HOME: place.root,
    // Windows finds neither its sockets nor its temporary folder without these.
    SystemRoot: process.env.SystemRoot,
    TEMP: process.env.TEMP,
    LANG: "C.UTF-8",
    CI: "true",
    GITHUB_ACTIONS: "true",
    GITHUB_ACTION: "docs",
    GITHUB_ACTOR: "octocat",
    GITHUB_TRIGGERING_ACTOR: "octocat",
    GITHUB_API_URL: github.api_url,
    GITHUB_GRAPHQL_URL: `${github.api_url}/graphql`,
    GITHUB_SERVER_URL: github.server_url,
    GITHUB_EVENT_NAME: options.eventName ?? "workflow_dispatch",
    GITHUB_EVENT_PATH: place.event,
    GITHUB_JOB: "write-docs",
    GITHUB_REF: "refs/heads/main",
    GITHUB_REF_NAME: "main",
    GITHUB_REF_TYPE: "branch",
    GITHUB_REPOSITORY: repository,
    GITHUB_REPOSITORY_ID: "4711",
    GITHUB_REPOSITORY_OWNER: repository.split("/")[0],
    GITHUB_RUN_ATTEMPT: String(options.attempt ?? 1),
    GITHUB_RUN_ID: options.runId ?? "1001",
    GITHUB_RUN_NUMBER: "7",
    GITHUB_SHA: "0123456789abcdef0123456789abcdef01234567",
    GITHUB_WORKFLOW: "Documentation",
    GITHUB_WORKFLOW_REF: `${repository}/.github/workflows/docs.yml@refs/heads/main`,
    GITHUB_WORKSPACE: place.workspace,
    GITHUB_OUTPUT: place.output,
    GITHUB_STATE: place.state,
    GITHUB_STEP_SUMMARY: place.summary,
    GITHUB_ENV: place.env,
    GITHUB_PATH: place.path,
    RUNNER_ARCH: "X64",
    RUNNER_ENVIRONMENT: "github-hosted",
    RUNNER_NAME: "local",
    RUNNER_OS: "Linux",
    RUNNER_TEMP: place.temp,
    RUNNER_TOOL_CACHE: path.join(place.root, "tools"),
    RUNNER_WORKSPACE: path.dirname(place.workspace),
    ...(options.debug === true ? { RUNNER_DEBUG: "1" } : {}),
    ...inputVariables(options, metadata, github),
  };
  for (const [name, value] of Object.entries(options.state ?? {}))
    variables[`STATE_${name}`] = value;
  if (options.fastClock !== undefined) {
    variables.NODE_OPTIONS = `--import ${FAST_CLOCK}`;
    variables.FAST_CLOCK = String(options.fastClock);
  }
  Object.assign(variables, options.env);
  return Object.fromEntries(
    Object.entries(variables).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
}

/** INPUT_*: upper case, spaces to underscores, and hyphens as they are. */
function inputVariables(
  { inputs = {}, matrix }: RunOptions,
  metadata: ActionMetadata,
  github: Parameters<typeof resolveDefault>[1],
): Record<string, string> {
  const given = new Map(Object.entries(inputs).map(([name, value]) => [name.toLowerCase(), value]));
  const variables: Record<string, string> = {};
  for (const [name, fallback] of Object.entries(metadata.inputs)) {
    const value = given.get(name.toLowerCase()) ?? resolveDefault(fallback, github, matrix ?? null);
    variables[`INPUT_${name.replaceAll(" ", "_").toUpperCase()}`] = value;
    given.delete(name.toLowerCase());
  }
  if (given.size > 0) {
    throw new Error(`action.yml declares no input ${[...given.keys()].join(", ")}`);
  }
  return variables;
}

function readLines(
  stream: NodeJS.ReadableStream,
  on: { onText: (text: string) => void; onLine: (line: string) => void },
): void {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  const take = (text: string) => {
    on.onText(text);
    rest += text;
    // A `\r` at the end may be half of `\r\n`: it waits for what follows.
    for (let match = lineEnd(rest); match !== undefined; match = lineEnd(rest)) {
      on.onLine(rest.slice(0, match.index));
      rest = rest.slice(match.index + match.length);
    }
  };
  stream.on("data", (chunk: Buffer) => take(decoder.write(chunk)));
  stream.on("end", () => {
    take(decoder.end());
    if (rest !== "") on.onLine(rest.replace(/\r$/, ""));
  });
}

function lineEnd(text: string): { index: number; length: number } | undefined {
  const match = /\r\n|\r(?!$)|\n/.exec(text);
  return match === null ? undefined : { index: match.index, length: match[0].length };
}

function readLog(lines: readonly string[]) {
  const log = parseLog(lines);
  const annotations = (kind: Annotation["kind"]) =>
    log.flatMap((entry) => (entry.kind === kind ? [entry.message] : []));
  return {
    log,
    errors: annotations("error"),
    warnings: annotations("warning"),
    notices: annotations("notice"),
    debug: log.flatMap((entry) => (entry.kind === "debug" ? [entry.message] : [])),
    masks: log.flatMap((entry) => (entry.kind === "mask" ? [entry.value] : [])),
    visible: log.flatMap((entry) => {
      if (entry.kind === "line") return [entry.text];
      if (entry.kind === "group") return [entry.title];
      return "message" in entry && entry.kind !== "debug" ? [entry.message] : [];
    }),
  };
}

function readFiles(place: Place) {
  return {
    outputs: parseCommandFile(readFileSync(place.output, "utf8")),
    state: parseCommandFile(readFileSync(place.state, "utf8")),
    environment: parseCommandFile(readFileSync(place.env, "utf8")),
    summary: existsSync(place.summary) ? readFileSync(place.summary, "utf8") : "",
    files: listFiles(place),
  };
}

function listFiles(place: Place): Record<string, string> {
  const files: Record<string, string> = {};
  for (const folder of [place.workspace, place.temp]) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      const name = path.relative(place.root, file);
      if (!entry.isFile() || /^_temp[\\/]_(runner_file_commands|github_workflow)/.test(name))
        continue;
      files[name] = readFileSync(file, "utf8");
    }
  }
  return files;
}

/** The file may end in half a value while the step is still writing it. */
function readOutputSoFar(file: string, name: string): Record<string, string> | undefined {
  try {
    const outputs = parseCommandFile(readFileSync(file, "utf8"));
    return outputs[name] === undefined ? undefined : outputs;
  } catch {
    return undefined;
  }
}
