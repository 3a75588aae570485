import * as z from "zod/mini";
import type { Given } from "./github/given.ts";
import {
  commonChecks,
  flag,
  hidden,
  httpUrl,
  input,
  invalid,
  isSegment,
  oneOf,
  positive,
  problemsOf,
  quote,
  type ReadInput,
  withoutPassword,
} from "./input-checks.ts";
import { type Api, readApi } from "./inputs-v1.ts";
import { readPromptFile } from "./prompt-file.ts";

export type { ReadInput };

const MINUTE = 60_000;
const SECOND = 1000;

const schema = z.object({
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
  comment: flag("true"),
  "api-version": oneOf("v2", "v1"),
  "issue-number": input("the number of an issue or pull request, such as 12", (text) => {
    if (text.trim() === "") return null;
    const value = /^\d+$/.test(text.trim()) ? Number(text) : 0;
    return Number.isSafeInteger(value) && value > 0 ? value : undefined;
  }),
  "github-token": input(
    "a token without line breaks or spaces",
    (text) => (/^[\x21-\x7E]*$/.test(text.trim()) ? text.trim() : undefined),
    { show: hidden },
  ),
  "github-api-url": input(
    "the address of GitHub's API, such as https://api.github.com, without user, password, ? or #",
    httpUrl,
    { show: withoutPassword },
  ),
});

/** What the job is to do, from `prompt`, `prompt-file` and `job-id`. */
export type Task =
  | { type: "create"; prompt: string }
  | { type: "follow-up"; jobId: string; prompt: string }
  | { type: "take-up"; jobId: string };

/** The inputs of the root action, checked; durations in milliseconds. */
export interface Inputs {
  apiKey: string;
  projectId: string;
  api: Api;
  task: Task;
  wait: boolean;
  timeout: number;
  pace: { initial: number; max: number };
  ifTimeout: "error" | "warn";
  ifNoChanges: "ignore" | "warn" | "error";
  comment: boolean;
  issueNumber: number | null;
  githubToken: string;
  githubApiUrl: URL;
  baseUrl: URL;
}

/** What the inputs need of what GitHub gave. */
type GivenToInputs = Pick<Given, "workspace" | "apiUrl" | "runId" | "attempt">;

/**
 * Reads and checks every input of the root action.
 *
 * @param given tells the workspace that `prompt-file` stays inside, GitHub's own API, and the workflow run
 * @throws ActionError `invalid-input`, naming every input that is wrong, its value and what is allowed
 */
export function parseInputs(
  read: ReadInput,
  { workspace, apiUrl, runId, attempt }: GivenToInputs,
): Inputs {
  const raw = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, read(name)]));
  raw["github-api-url"] ||= apiUrl;
  const parsed = schema.safeParse(raw);
  const problems = problemsOf(raw, parsed.error);
  const prompt = readPrompt(read, workspace);
  const version = raw["api-version"]?.trim() || "v2";
  const { api, problems: apiProblems } = readApi(read, version, { runId, attempt });
  problems.push(...prompt.problems, ...apiProblems);
  const jobId = raw["job-id"]?.trim() ?? "";
  if (api.version === "v1" && prompt.text !== null && jobId !== "")
    problems.push(noFollowUp(jobId));
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
    comment: checked.comment,
    issueNumber: checked["issue-number"],
    githubToken: checked["github-token"],
    githubApiUrl: checked["github-api-url"],
    baseUrl: checked["base-url"],
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
): { text: string | null; problems: string[] } {
  const prompt = read("prompt");
  const file = read("prompt-file").trim();
  if (file !== "") {
    if (prompt !== "") {
      const problem = `prompt-file: ${quote(file)} is not allowed together with prompt: give one of the two.`;
      return { text: null, problems: [problem] };
    }
    const content = readPromptFile(workspace, file);
    if ("text" in content) return { text: content.text, problems: [] };
    return { text: null, problems: [`prompt-file: ${quote(file)} ${content.problem}.`] };
  }
  if (prompt.trim() !== "") return { text: prompt, problems: [] };
  if (prompt === "" && read("job-id").trim() !== "") return { text: null, problems: [] };
  const problem = `prompt: ${quote(prompt)} is not allowed: it must be an instruction of at least one character that is not white space, unless prompt-file or job-id is given.`;
  return { text: null, problems: [problem] };
}
