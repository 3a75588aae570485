import * as z from "zod/mini";
import type { Given } from "../github/given.ts";
import {
  commonChecks,
  flag,
  input,
  invalid,
  isSegment,
  oneOf,
  positive,
  problemsOf,
  quote,
  type ReadInput,
} from "./checks.ts";
import { type Gate, gateFields, gateOf, readRaw } from "./gate.ts";
import { readPromptFile } from "./prompt-file.ts";
import { type Api, readApi } from "./v1.ts";

export type { ReadInput };

const MINUTE = 60_000;
const SECOND = 1000;

const schema = z.object({
  ...gateFields,
  ...commonChecks,
  "job-id": input("the id of a job, and not . or ..", (text) =>
    isSegment(text.trim()) ? text.trim() : undefined,
  ),
  wait: flag("true"),
  "timeout-minutes": positive("minutes", MINUTE, "30"),
  "poll-interval-seconds": positive("seconds", SECOND, "3"),
  "poll-max-interval-seconds": positive("seconds", SECOND, "15"),
  "if-timeout": oneOf("error", "warn"),
  "if-no-changes": oneOf("ignore", "warn", "error"),
  "continue-job": flag("true"),
  "include-context": oneOf("auto", "true", "false"),
  "api-version": oneOf("v2", "v1"),
});

/** What the job is to do, from `prompt`, `prompt-file` and `job-id`. */
export type Task =
  | { type: "create"; prompt: string }
  | { type: "follow-up"; jobId: string; prompt: string }
  /** A follow-up to the job of a conversation; a new one, should that job not take it. */
  | { type: "continue"; jobId: string; prompt: string }
  | { type: "take-up"; jobId: string };

/** The inputs of the root action, checked; durations in milliseconds. */
export interface Inputs extends Gate {
  apiKey: string;
  projectId: string;
  api: Api;
  task: Task;
  wait: boolean;
  timeout: number;
  pace: { initial: number; max: number };
  ifTimeout: "error" | "warn";
  ifNoChanges: "ignore" | "warn" | "error";
  continueJob: boolean;
  /** `auto`: only for requests made by phrase. */
  includeContext: "auto" | "true" | "false";
  baseUrl: URL;
}

/** What the inputs need of what GitHub gave. */
type GivenToInputs = Pick<Given, "workspace" | "apiUrl" | "runId" | "attempt">;

/**
 * Reads and checks every input of the root action.
 *
 * @param given tells the workspace that `prompt-file` stays inside, GitHub's own API, and the workflow run
 * @param request what was asked for by phrase: it comes after the prompt, or alone
 * @throws ActionError `invalid-input`, naming every input that is wrong, its value and what is allowed
 */
export function parseInputs(read: ReadInput, given: GivenToInputs, request = ""): Inputs {
  const raw = readRaw(schema.shape, read, given);
  const parsed = schema.safeParse(raw);
  const problems = problemsOf(raw, parsed.error);
  const prompt = readPrompt(read, given.workspace, request);
  const version = raw["api-version"]?.trim() || "v2";
  const { api, problems: apiProblems } = readApi(read, version, given);
  problems.push(...prompt.problems, ...apiProblems);
  const jobId = raw["job-id"]?.trim() ?? "";
  const isFollowUp = prompt.text !== null && jobId !== "";
  if (api.version === "v1" && isFollowUp) problems.push(noFollowUp(jobId));
  if (!parsed.success || problems.length > 0) throw invalid(problems);

  const checked = parsed.data;
  return {
    apiKey: checked["api-key"],
    projectId: checked["project-id"],
    api,
    task: taskOf(prompt.text, checked["job-id"]),
    wait: checked.wait,
    timeout: checked["timeout-minutes"],
    pace: {
      initial: checked["poll-interval-seconds"],
      max: checked["poll-max-interval-seconds"],
    },
    ifTimeout: checked["if-timeout"],
    ifNoChanges: checked["if-no-changes"],
    continueJob: checked["continue-job"],
    includeContext: checked["include-context"],
    baseUrl: checked["base-url"],
    ...gateOf(checked),
  };
}

function taskOf(prompt: string | null, jobId: string): Task {
  if (prompt === null) return { type: "take-up", jobId };
  return jobId === "" ? { type: "create", prompt } : { type: "follow-up", jobId, prompt };
}

function noFollowUp(jobId: string): string {
  return `job-id: ${quote(jobId)} is not allowed together with a prompt and api-version v1, which cannot send a message to a job that exists. Set api-version to v2 to send one, or leave out the prompt to wait for the job.`;
}

/** The prompt as it was given, byte for byte; null when `job-id` alone is to be waited for. */
function readPrompt(
  read: ReadInput,
  workspace: string,
  request: string,
): { text: string | null; problems: string[] } {
  const prompt = read("prompt");
  const file = read("prompt-file").trim();
  if (file !== "") {
    if (prompt !== "") {
      const problem = `prompt-file: ${quote(file)} is not allowed together with prompt: give one of the two.`;
      return { text: null, problems: [problem] };
    }
    const content = readPromptFile(workspace, file);
    if ("text" in content) return { text: withRequest(content.text, request), problems: [] };
    return { text: null, problems: [`prompt-file: ${quote(file)} ${content.problem}.`] };
  }
  const whole = withRequest(prompt, request);
  if (whole.trim() !== "") return { text: whole, problems: [] };
  if (prompt === "" && read("job-id").trim() !== "") return { text: null, problems: [] };
  const problem = `prompt: ${quote(prompt)} is not allowed: it must be an instruction of at least one character that is not white space, unless prompt-file or job-id is given.`;
  return { text: null, problems: [problem] };
}

/** A request made by phrase comes after what the workflow says, or alone. */
export function withRequest(prompt: string, request: string): string {
  if (request === "") return prompt;
  return prompt.trim() === "" ? request : `${prompt.trimEnd()}\n\n${request}`;
}
