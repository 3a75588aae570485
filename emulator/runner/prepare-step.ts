/** Prepares a step: the file of its action, its environment, its folders. */

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { checkVariables } from "./kept.ts";
import type { RunOptions } from "./run-options.ts";
import { makeFolders, type StepFolders } from "./step-folders.ts";

/** The root of this repository, where the first `action.yml` is. */
export const REPOSITORY_ROOT = fileURLToPath(new URL("../..", import.meta.url));

const FAST_CLOCK = new URL("./fast-clock.mjs", import.meta.url).href;

/** The part of an `action.yml` that the runner acts on. */
interface ActionMetadata {
  description: string;
  /** Each declared input with its default; an input without one has the empty string. */
  inputs: Record<string, string>;
  /** The messages of deprecated inputs, by their names in lower case. */
  deprecated: Map<string, string>;
  outputs: string[];
  main: string;
  post?: string;
}

interface DeclaredInput {
  default?: unknown;
  deprecationMessage?: string;
}

/** By file: tests run the same few actions a thousand times. */
const known = new Map<string, ActionMetadata>();

/** Reads `action.yml` in a folder. @throws when there is none, or it is not a JavaScript action. */
export function readActionMetadata(folder: string): ActionMetadata {
  const file = path.join(folder, "action.yml");
  const before = known.get(file);
  if (before !== undefined) return before;
  const { description, inputs = {}, outputs = {}, runs } = parse(readFileSync(file, "utf8"));
  if (typeof runs?.main !== "string") throw new Error(`${file} names no runs.main`);
  const declared = Object.entries<DeclaredInput | null>(inputs);
  const metadata: ActionMetadata = {
    description,
    outputs: Object.keys(outputs),
    main: runs.main,
    post: runs.post,
    inputs: Object.fromEntries(
      declared.map(([name, input]) => [name, String(input?.default ?? "")]),
    ),
    deprecated: new Map(
      declared.flatMap(([name, input]) =>
        input?.deprecationMessage === undefined
          ? []
          : [[name.toLowerCase(), input.deprecationMessage]],
      ),
    ),
  };
  known.set(file, metadata);
  return metadata;
}

/** What a step is started with. */
interface Prepared {
  env: Record<string, string>;
  /** What the runner prints before the step starts. */
  log: string[];
  /** The caller removes them when the step has ended. */
  folders: StepFolders;
}

interface PreparedStep extends Prepared {
  /** Path of the bundle. */
  bundle: string;
}

/** @throws if the action or its bundle is missing, or the system would not start the step */
export function prepareStep(options: RunOptions): PreparedStep {
  const { action = ".", entry = "main" } = options;
  const folder = path.resolve(REPOSITORY_ROOT, action);
  const metadata = readActionMetadata(folder);
  const file = metadata[entry];
  if (file === undefined) throw new Error(`${folder}/action.yml names no runs.${entry}`);
  const bundle = path.join(folder, file);
  if (!existsSync(bundle)) throw new Error(`${bundle} is missing: run "npm run build" first`);
  const inputs = inputVariables(options, metadata, gitHubContext(options));
  return { bundle, ...prepare(options, inputs), log: inputWarnings(options.inputs, metadata) };
}

/** The same for a script. @throws if the system would not start it */
export function prepareScript(options: RunOptions): Prepared {
  return { ...prepare(options, {}), log: [] };
}

function gitHubContext(options: RunOptions): GitHubContext {
  return {
    token: options.token ?? "ghs_TokenOfThisRun",
    api_url: options.apiUrl ?? "http://127.0.0.1:9",
    server_url: options.serverUrl ?? "https://github.com",
    repository: options.repository ?? "octo/docs",
  };
}

/** The environment and the folders of a step. @param inputs as variables */
function prepare(options: RunOptions, inputs: Record<string, string>): Omit<Prepared, "log"> {
  const folders = makeFolders(options);
  const github = gitHubContext(options);
  const variables = { ...inputs, ...runnerVariables(options, folders, github), ...options.env };
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) {
    if (value !== undefined) env[name] = value;
  }
  checkVariables(env);
  return { env, folders };
}

/** What the expressions that are allowed in an input's default refer to. */
type GitHubContext = Record<"token" | "api_url" | "server_url" | "repository", string>;

/** INPUT_*: upper case, spaces to underscores, and hyphens as they are. Undeclared inputs are set, too. */
function inputVariables(
  { inputs = {}, matrix = null }: Pick<RunOptions, "inputs"> & { matrix?: unknown },
  metadata: ActionMetadata,
  github: GitHubContext,
): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const [name, fallback] of Object.entries(metadata.inputs)) {
    variables[variableOf(name)] = resolveDefault(fallback, github, matrix);
  }
  for (const [name, value] of Object.entries(inputs)) variables[variableOf(name)] = value;
  return variables;
}

function variableOf(input: string): string {
  return `INPUT_${input.replaceAll(" ", "_").toUpperCase()}`;
}

/** The runner's warnings about inputs that the action does not declare, and about deprecated ones. */
function inputWarnings(
  inputs: RunOptions["inputs"] = {},
  { inputs: declared, deprecated }: ActionMetadata,
): string[] {
  const outdated = Object.keys(inputs).flatMap((name) => {
    const message = deprecated.get(name.toLowerCase());
    if (message === undefined) return [];
    return [`##[warning]Input '${name}' has been deprecated with message: ${message}`];
  });
  const known = Object.keys(declared);
  const names = new Set(known.map((name) => name.toLowerCase()));
  const undeclared = Object.keys(inputs).filter((name) => !names.has(name.toLowerCase()));
  if (undeclared.length === 0) return outdated;
  const listed = (all: readonly string[]) => `'${all.join("', '")}'`;
  return [
    ...outdated,
    `##[warning]Unexpected input(s) ${listed(undeclared)}, valid inputs are [${listed(known)}]`,
  ];
}

/** Fills in `${{ github.… }}` and `${{ toJSON(matrix) }}`. @throws for any other expression */
export function resolveDefault(value: string, github: GitHubContext, matrix: unknown): string {
  return value.replaceAll(/\$\{\{\s*(.*?)\s*\}\}/g, (_, expression: string) => {
    if (expression === "toJSON(matrix)") return JSON.stringify(matrix, null, 2);
    const known = Object.entries(github).find(([name]) => expression === `github.${name}`);
    if (known === undefined) {
      throw new Error(`The emulated runner does not know the expression '${expression}'`);
    }
    return known[1];
  });
}

/** A tag that git could have. */
const TAG = /^\P{Cc}{1,200}$/u;

/** The ref that an event's run is on. */
function refOf({ event }: RunOptions): string {
  const { pull_request, release, ref } = (event ?? {}) as {
    pull_request?: { number?: number };
    release?: { tag_name?: string };
    ref?: string;
  };
  if (pull_request?.number !== undefined) return `refs/pull/${pull_request.number}/merge`;
  const tag = release?.tag_name;
  if (tag !== undefined && TAG.test(tag)) return `refs/tags/${tag}`;
  return ref?.startsWith("refs/") === true ? ref : "refs/heads/main";
}

/** The environment besides the inputs. Only variables that the system needs are inherited. */
function runnerVariables(
  options: RunOptions,
  { root, temp, workspace, commandFiles, event }: StepFolders,
  github: GitHubContext,
): Record<string, string | undefined> {
  const { repository } = github;
  const { state = {}, fastClock } = options;
  const states = Object.entries(state).map(([name, value]) => [`STATE_${name}`, value]);
  const ref = refOf(options);
  return {
    // Windows needs these for its sockets and its temporary folder.
    SystemRoot: process.env.SystemRoot,
    TEMP: process.env.TEMP,
    PATH: process.env.PATH,
    HOME: root,
    LANG: "C.UTF-8",
    CI: "true",
    GITHUB_ACTIONS: "true",
    GITHUB_ACTION: "docs",
    GITHUB_JOB: "write-docs",
    GITHUB_ACTOR: "octocat",
    GITHUB_TRIGGERING_ACTOR: "octocat",
    GITHUB_API_URL: github.api_url,
    GITHUB_GRAPHQL_URL: `${github.api_url}/graphql`,
    GITHUB_SERVER_URL: github.server_url,
    GITHUB_WORKFLOW: "Documentation",
    GITHUB_EVENT_NAME: options.eventName ?? "workflow_dispatch",
    GITHUB_EVENT_PATH: event,
    GITHUB_WORKSPACE: workspace,
    ...commandFiles,
    GITHUB_REF: ref,
    GITHUB_REF_NAME: ref.replace(/^refs\/(heads|tags|pull)\//, ""),
    GITHUB_REF_TYPE: ref.startsWith("refs/tags/") ? "tag" : "branch",
    GITHUB_REPOSITORY: repository,
    GITHUB_REPOSITORY_ID: "4711",
    GITHUB_REPOSITORY_OWNER: repository.split("/")[0],
    GITHUB_RUN_ATTEMPT: String(options.attempt ?? 1),
    GITHUB_RUN_ID: options.runId ?? "1001",
    GITHUB_RUN_NUMBER: "7",
    GITHUB_SHA: options.sha ?? "0123456789abcdef0123456789abcdef01234567",
    GITHUB_WORKFLOW_REF: `${repository}/.github/workflows/docs.yml@refs/heads/main`,
    RUNNER_ARCH: "X64",
    RUNNER_ENVIRONMENT: "github-hosted",
    RUNNER_NAME: "local",
    RUNNER_OS: "Linux",
    RUNNER_TEMP: temp,
    RUNNER_TOOL_CACHE: path.join(root, "tools"),
    RUNNER_WORKSPACE: path.dirname(workspace),
    ...(options.debug === true ? { RUNNER_DEBUG: "1" } : {}),
    ...Object.fromEntries(states),
    ...(fastClock && { NODE_OPTIONS: `--import ${FAST_CLOCK}`, FAST_CLOCK: String(fastClock) }),
  };
}
