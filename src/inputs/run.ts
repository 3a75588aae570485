import type { ApiKeys } from "../github/markers.ts";
import type { RunContext } from "../github/run-context.ts";
import type { GitHubSettings } from "../github/settings.ts";
import type { PollPace } from "../job/schedule.ts";
import type { JobTask } from "../job/task.ts";
import { quote } from "../text/quote.ts";
import {
  type Checked,
  flag,
  input,
  invalid,
  isSegment,
  oneOf,
  type ReadInput,
  type ValuesOf,
} from "./checks.ts";
import { keysOf } from "./keys.ts";
import { readPrompt } from "./prompt.ts";
import { checkServiceInputs, PREVIOUS_KEY, PROJECT, paceOf, WAIT } from "./service.ts";
import { type Api, readApi } from "./v1.ts";

const RUN = {
  ...PROJECT,
  ...PREVIOUS_KEY,
  ...WAIT,
  "job-id": input("the ID of a job (not . or ..)", (text) =>
    isSegment(text.trim()) ? text.trim() : undefined,
  ),
  wait: flag("true"),
  "if-timeout": oneOf(["error", "warn"], "error"),
  "if-no-changes": oneOf(["ignore", "warn", "error"], "ignore"),
  "continue-job": flag("true"),
  /** `auto`: only for requests made by phrase. */
  "include-context": oneOf(["auto", "true", "false"], "auto"),
};

/** The inputs of the root action, checked; durations in milliseconds. */
export interface RunInputs extends GitHubSettings, ValuesOf<typeof RUN> {
  /** Those that markers are read with; the first is the API key. */
  keys: ApiKeys;
  api: Api;
  task: JobTask;
  pace: PollPace;
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
  const { values, problems } = checkServiceInputs(RUN, read);
  const jobId = read("job-id").trim();
  const prompt = readPrompt(read, context.workspace, request, jobId);
  const { api, problems: apiProblems } = readApi(read, context);
  problems.push(...github.problems, ...prompt.problems, ...apiProblems);
  const isFollowUp = prompt.text !== null && jobId !== "";
  if (api.version === "v1" && isFollowUp) problems.push(noFollowUp(jobId));
  if (values === null || github.values === null || problems.length > 0) throw invalid(problems);

  const keys = keysOf(values.apiKey, values.previousApiKey);
  const task = taskOf(prompt.text, jobId);
  return { ...github.values, ...values, keys, api, task, pace: paceOf(values) };
}

function taskOf(prompt: string | null, jobId: string): JobTask {
  if (prompt === null) return { type: "take-up", jobId };
  return jobId === "" ? { type: "create", prompt } : { type: "follow-up", jobId, prompt };
}

function noFollowUp(jobId: string): string {
  return `job-id: ${quote(jobId)} is not allowed together with a prompt and api-version v1, which cannot send messages to existing jobs. Set api-version to v2 to send one, or remove the prompt to wait for the job.`;
}
