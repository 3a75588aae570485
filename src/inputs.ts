import * as z from "zod/mini";
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

/**
 * Reads and checks every input of the root action.
 *
 * @param given tells the workspace that `prompt-file` stays inside, and GitHub's own API
 * @throws ActionError `invalid-input`, naming every input that is wrong, its value and what is allowed
 */
export function parseInputs(
  read: ReadInput,
  { workspace, apiUrl }: { workspace: string; apiUrl: string },
): Inputs {
  const raw = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, read(name)]));
  raw["github-api-url"] ||= apiUrl;
  const parsed = schema.safeParse(raw);
  const problems = problemsOf(raw, parsed.error);
  const prompt = readPrompt(read, workspace);
  problems.push(...prompt.problems);
  if (!parsed.success || problems.length > 0) throw invalid(problems);

  const checked = parsed.data;
  return {
    apiKey: checked["api-key"],
    projectId: checked["project-id"],
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
