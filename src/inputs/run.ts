import * as z from "zod/mini";
import type { ApiKeys } from "../github/markers.ts";
import type { RunContext } from "../github/run-context.ts";
import type { GitHubSettings } from "../github/settings.ts";
import type { PollPace } from "../job/schedule.ts";
import type { Policy } from "../job/step-result.ts";
import type { JobTask } from "../job/task.ts";
import { quote } from "../text/quote.ts";
import {
  type Checked,
  flag,
  input,
  invalid,
  isSegment,
  oneOf,
  positive,
  type ReadInput,
  readAll,
} from "./checks.ts";
import { keysOf } from "./keys.ts";
import { readPrompt } from "./prompt.ts";
import { previousKeyCheck, problemsOf, projectChecks } from "./service.ts";
import { type Api, readApi } from "./v1.ts";

const MINUTE = 60_000;
const SECOND = 1000;

const schema = z.object({
  ...projectChecks,
  ...previousKeyCheck,
  "job-id": input("the ID of a job (not . or ..)", (text) =>
    isSegment(text.trim()) ? text.trim() : undefined,
  ),
  wait: flag("true"),
  "timeout-minutes": positive("minutes", MINUTE, "30"),
  "poll-interval-seconds": positive("seconds", SECOND, "3"),
  "poll-max-interval-seconds": positive("seconds", SECOND, "15"),
  "if-timeout": oneOf(["error", "warn"], "error"),
  "if-no-changes": oneOf(["ignore", "warn", "error"], "ignore"),
  "continue-job": flag("true"),
  "include-context": oneOf(["auto", "true", "false"], "auto"),
});

/** The inputs of the root action, checked; durations in milliseconds. */
export interface RunInputs extends GitHubSettings, Policy {
  apiKey: string;
  /** Those that markers are read with; the first is the API key. */
  keys: ApiKeys;
  projectId: string;
  api: Api;
  task: JobTask;
  wait: boolean;
  timeout: number;
  pace: PollPace;
  continueJob: boolean;
  /** `auto`: only for requests made by phrase. */
  includeContext: "auto" | "true" | "false";
  baseUrl: URL;
}

/** What the inputs need of the run context. */
type ContextOfInputs = Pick<RunContext, "workspace" | "runId" | "attempt">;

/**
 * Reads and checks every input of the root action.
 *
 * @param github the inputs that were checked before
 * @param context tells the workspace that `prompt-file` stays inside, and the workflow run
 * @param request what was asked for by phrase: it comes after the prompt, or alone
 * @throws ActionError `invalid-input`, naming every input that is wrong, its value and what is allowed
 */
export function parseRunInputs(
  read: ReadInput,
  github: Checked<GitHubSettings>,
  context: ContextOfInputs,
  request = "",
): RunInputs {
  const raw = readAll(schema.shape, read);
  const { data, error } = schema.safeParse(raw);
  const jobId = raw["job-id"]?.trim() ?? "";
  const prompt = readPrompt(read, context.workspace, request, jobId);
  const { api, problems: apiProblems } = readApi(read, context);
  const problems = [
    ...problemsOf(raw, error),
    ...github.problems,
    ...prompt.problems,
    ...apiProblems,
  ];
  const isFollowUp = prompt.text !== null && jobId !== "";
  if (api.version === "v1" && isFollowUp) problems.push(noFollowUp(jobId));
  if (data === undefined || github.values === null || problems.length > 0) throw invalid(problems);

  return {
    ...github.values,
    apiKey: data["api-key"],
    keys: keysOf(data),
    projectId: data["project-id"],
    api,
    task: taskOf(prompt.text, jobId),
    wait: data.wait,
    timeout: data["timeout-minutes"],
    pace: { initial: data["poll-interval-seconds"], max: data["poll-max-interval-seconds"] },
    ifTimeout: data["if-timeout"],
    ifNoChanges: data["if-no-changes"],
    continueJob: data["continue-job"],
    includeContext: data["include-context"],
    baseUrl: data["base-url"],
  };
}

function taskOf(prompt: string | null, jobId: string): JobTask {
  if (prompt === null) return { type: "take-up", jobId };
  return jobId === "" ? { type: "create", prompt } : { type: "follow-up", jobId, prompt };
}

function noFollowUp(jobId: string): string {
  return `job-id: ${quote(jobId)} is not allowed together with a prompt and api-version v1, which cannot send messages to existing jobs. Set api-version to v2 to send one, or remove the prompt to wait for the job.`;
}
