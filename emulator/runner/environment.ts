/** The environment variables of a step: nothing is inherited but what the system itself needs. */

import path from "node:path";
import { type ActionMetadata, type ExpressionContext, resolveDefault } from "./action-metadata.ts";
import type { RunOptions } from "./step.ts";
import type { StepFolders } from "./step-folders.ts";

const FAST_CLOCK = new URL("./fast-clock.mjs", import.meta.url).href;

/** @throws when an input is not declared, or its default holds an expression that is not known here. */
export function environmentOf(
  options: RunOptions,
  metadata: ActionMetadata,
  folders: StepFolders,
): Record<string, string> {
  const github = {
    token: options.token ?? "ghs_TokenOfThisRun",
    api_url: options.apiUrl ?? "http://127.0.0.1:9",
    server_url: options.serverUrl ?? "https://github.com",
    repository: options.repository ?? "octo/docs",
  };
  const context = { github, matrix: options.matrix ?? null };
  const variables: Record<string, string | undefined> = {
    ...systemVariables(folders),
    ...githubVariables(options, github),
    ...fileVariables(folders),
    ...runnerVariables(folders),
    ...(options.debug === true ? { RUNNER_DEBUG: "1" } : {}),
    ...inputVariables(options.inputs ?? {}, metadata, context),
    ...stateVariables(options.state ?? {}),
    ...fastClockVariables(options.fastClock),
    ...options.env,
  };
  return Object.fromEntries(
    Object.entries(variables).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
}

function systemVariables({ root }: StepFolders) {
  return {
    PATH: process.env.PATH,
    HOME: root,
    // Windows finds neither its sockets nor its temporary folder without these.
    SystemRoot: process.env.SystemRoot,
    TEMP: process.env.TEMP,
    LANG: "C.UTF-8",
    CI: "true",
  };
}

function githubVariables(options: RunOptions, github: ExpressionContext["github"]) {
  const { repository } = github;
  return {
    GITHUB_ACTIONS: "true",
    GITHUB_ACTION: "docs",
    GITHUB_ACTOR: "octocat",
    GITHUB_TRIGGERING_ACTOR: "octocat",
    GITHUB_API_URL: github.api_url,
    GITHUB_GRAPHQL_URL: `${github.api_url}/graphql`,
    GITHUB_SERVER_URL: github.server_url,
    GITHUB_EVENT_NAME: options.eventName ?? "workflow_dispatch",
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
  };
}

function fileVariables(folders: StepFolders) {
  return {
    GITHUB_EVENT_PATH: folders.event,
    GITHUB_WORKSPACE: folders.workspace,
    GITHUB_OUTPUT: folders.output,
    GITHUB_STATE: folders.state,
    GITHUB_STEP_SUMMARY: folders.summary,
    GITHUB_ENV: folders.env,
    GITHUB_PATH: folders.path,
  };
}

function runnerVariables({ root, temp, workspace }: StepFolders) {
  return {
    RUNNER_ARCH: "X64",
    RUNNER_ENVIRONMENT: "github-hosted",
    RUNNER_NAME: "local",
    RUNNER_OS: "Linux",
    RUNNER_TEMP: temp,
    RUNNER_TOOL_CACHE: path.join(root, "tools"),
    RUNNER_WORKSPACE: path.dirname(workspace),
  };
}

/** INPUT_*: upper case, spaces to underscores, and hyphens as they are. */
function inputVariables(
  inputs: Record<string, string>,
  metadata: ActionMetadata,
  context: ExpressionContext,
): Record<string, string> {
  const given = new Map(Object.entries(inputs).map(([name, value]) => [name.toLowerCase(), value]));
  const variables: Record<string, string> = {};
  for (const [name, fallback] of Object.entries(metadata.inputs)) {
    const value = given.get(name.toLowerCase()) ?? resolveDefault(fallback, context);
    variables[`INPUT_${name.replaceAll(" ", "_").toUpperCase()}`] = value;
    given.delete(name.toLowerCase());
  }
  if (given.size > 0) {
    throw new Error(`action.yml declares no input ${[...given.keys()].join(", ")}`);
  }
  return variables;
}

function stateVariables(state: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(state).map(([name, value]) => [`STATE_${name}`, value]));
}

function fastClockVariables(factor: number | undefined): Record<string, string> {
  return factor === undefined
    ? {}
    : { NODE_OPTIONS: `--import ${FAST_CLOCK}`, FAST_CLOCK: String(factor) };
}
