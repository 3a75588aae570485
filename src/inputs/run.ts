import * as z from "zod/mini";
import type { GitHubSettings } from "../github/feedback.ts";
import type { ApiKeys } from "../github/markers.ts";
import type { RunContext } from "../github/run-context.ts";
import type { PollPace } from "../job/poll.ts";
import type { JobTask } from "../job/start.ts";
import { V1_ROLES, type V1Choices, type V1Message } from "../service/agent.ts";
import { quote } from "../text/sentence.ts";
import {
  type Checked,
  checkInputs,
  flag,
  input,
  isGitRef,
  isSegment,
  json,
  oneOf,
  type ReadInput,
  type ValuesOf,
  valuesOf,
} from "./checks.ts";
import { readPrompt } from "./prompt.ts";
import { checkServiceInputs, keysOf, PREVIOUS_KEY, PROJECT, paceOf, WAIT } from "./service.ts";

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

/** The inputs of the root action. Durations are in milliseconds. */
export interface RunInputs extends GitHubSettings, ValuesOf<typeof RUN> {
  /** The keys for reading markers. The first one is the API key. */
  keys: ApiKeys;
  api: Api;
  task: JobTask;
  pace: PollPace;
}

type ContextOfInputs = Pick<RunContext, "workspace" | "runId" | "attempt">;

/**
 * Reads and checks every input of the root action.
 *
 * @param github the inputs that were checked before
 * @param request the request by phrase, which follows the prompt if there is one
 * @throws ActionError `invalid-input` with every invalid input, its value and what is allowed
 */
export function parseRunInputs(
  read: ReadInput,
  github: Checked<GitHubSettings>,
  context: ContextOfInputs,
  request = "",
): RunInputs {
  const checked = checkServiceInputs(RUN, read);
  const jobId = read("job-id").trim();
  const prompt = readPrompt(read, context.workspace, request, jobId);
  const { api, problems } = readApi(read, context);
  const isFollowUp = prompt.text !== null && jobId !== "";
  if (api.version === "v1" && isFollowUp) problems.push(noFollowUp(jobId));
  const values = valuesOf(checked, github.problems, prompt.problems, problems);
  const keys = keysOf(values.apiKey, values.previousApiKey);
  const task = taskOf(prompt.text, jobId);
  return { ...valuesOf(github), ...values, keys, api, task, pace: paceOf(values) };
}

function taskOf(prompt: string | null, jobId: string): JobTask {
  if (prompt === null) return { type: "take-up", jobId };
  return jobId === "" ? { type: "create", prompt } : { type: "follow-up", jobId, prompt };
}

function noFollowUp(jobId: string): string {
  return `job-id: ${quote(jobId)} is not allowed together with a prompt and api-version v1, which cannot send messages to existing jobs. Set api-version to v2 to send one, or remove the prompt to wait for the job.`;
}

/** The version of the agent API that a run uses. */
type Api = { version: "v2" } | { version: "v1"; choices: V1Choices };

const NAMES = ["branch", "as-draft", "model", "messages"] as const;

/** One of a few words, in upper or lower case; null if it is not set. */
function word<const T extends string>(...words: T[]) {
  return input(`${words.join(" or ")}, or empty`, (text): T | null | undefined => {
    const given = text.trim().toLowerCase();
    return given === "" ? null : words.find((it) => it === given);
  });
}

const V1 = {
  branch: input("the name of a Git branch", (text) => {
    const name = text.trim();
    return name === "" || isGitRef(name) ? name : undefined;
  }),
  "as-draft": word("true", "false"),
  model: word("sonnet", "opus"),
  messages: json<V1Message[]>(
    `a JSON array of {"role": …, "content": …}, in which each role is one of ${V1_ROLES.join(", ")} and each content is a non-empty string`,
    z.array(z.object({ role: z.enum(V1_ROLES), content: z.string().check(z.regex(/\S/)) })),
  ),
};

const VERSION = { "api-version": oneOf(["v2", "v1"], "v2") };

/**
 * Reads `api-version`, and the inputs that only version 1 has.
 *
 * @param run the workflow run, for the default name of the branch
 * @returns the choices, and a sentence for each problem
 */
export function readApi(
  read: ReadInput,
  run: { runId: string; attempt: number },
): { api: Api; problems: string[] } {
  const version = checkInputs(VERSION, read);
  // Without a valid version, the other inputs cannot be checked.
  if (version.values === null) return { api: { version: "v2" }, problems: version.problems };
  if (version.values.apiVersion === "v2") {
    const problems = NAMES.filter((name) => read(name).trim() !== "").map(
      (name) =>
        `${name}: ${quote(read(name))} is not allowed with api-version v2: only v1 supports this input. Remove it, or set api-version to v1.`,
    );
    return { api: { version: "v2" }, problems };
  }
  const { values, problems } = checkInputs(V1, read);
  const choices: V1Choices = {
    branch: values?.branch || `docs-agent/run-${run.runId}-${run.attempt}`,
    asDraft: values?.asDraft ? values.asDraft === "true" : null,
    model: values?.model ?? null,
    messages: values?.messages ?? [],
  };
  return { api: { version: "v1", choices }, problems };
}

/** The inputs of a post step. */
interface PostStepInputs {
  apiKey: string;
  /** The keys for reading markers. The first one signs. */
  keys: ApiKeys;
  githubToken: string;
}

/** Reads the inputs of a post step. The main step has checked them. */
export function readRecoverInputs(read: ReadInput): PostStepInputs {
  const apiKey = read("api-key");
  const keys = keysOf(apiKey, read("previous-api-key").trim());
  return { apiKey, keys, githubToken: read("github-token").trim() };
}
