import * as z from "zod/mini";
import type { GitHubSettings } from "../github/conversation/feedback.ts";
import type { ApiKeys } from "../github/conversation/markers.ts";
import type { RunContext } from "../github/trigger/run-context.ts";
import {
  flag,
  type InputCheck,
  InputProblem,
  isGitRef,
  json,
  oneOf,
  optional,
  type ParseInput,
  parseInputs,
  type ReadInput,
  segment,
  trimmedText,
} from "../inputs/checks.ts";
import { hasPrompt, PROMPT_FILE, promptInputs, withRequest } from "../inputs/prompt.ts";
import {
  githubAccess,
  githubSettings,
  markerKeys,
  type ProjectInputs,
  pollPace,
  project,
  timeLimit,
} from "../inputs/shared.ts";
import type { PollPace } from "../job/poll.ts";
import type { JobTask } from "../job/send.ts";
import { DEFAULT_END_POLICY, IF_NO_CHANGES, type Policy } from "../job/step-result.ts";
import type { V1Choices } from "../service/agent-v1.ts";
import { quote } from "../text/sentence.ts";

/** The inputs of the root action. Durations are in milliseconds. */
export interface RunInputs extends ProjectInputs, GitHubSettings {
  keys: ApiKeys;
  policy: Policy;
  pace: PollPace;
  /** Whether a request by phrase goes on with the conversation's job. */
  continueJob: boolean;
  /** `auto`: only for requests made by phrase. */
  includeContext: "auto" | "true" | "false";
  /** The version of the agent API, and what only version 1 lets a run choose. */
  api: { version: "v1" | "v2"; choices: V1Choices };
  task: JobTask;
}

/** What to do about `api-version` v1. */
export const V1_DEPRECATED = [
  "The service has deprecated version 1 of the agent API.",
  "Remove `api-version` to use version 2, where the service chooses the branch and the model.",
].join(" ");

const V1_ROLES = ["system", "user", "assistant"] as const;

const MESSAGES: InputCheck<V1Choices["messages"] | null> = json(
  [
    `a JSON array of {"role": …, "content": …}, in which each role is one of ${V1_ROLES.join(", ")}`,
    "and each content is a non-empty string",
  ].join(" "),
  () => z.array(z.object({ role: z.enum(V1_ROLES), content: z.string().check(z.regex(/\S/)) })),
);

/**
 * Reads and checks every input of the root action.
 *
 * @param request the request by phrase, which follows the prompt if there is one; null for none
 * @param settings the part that is checked already; null if nothing is
 * @throws ActionError `invalid-input` with every invalid input, its value and what is allowed
 */
export function parseRunInputs(
  read: ReadInput,
  context: RunContext,
  request: string | null,
  settings: GitHubSettings | null,
): RunInputs {
  const isPrompted = hasPrompt(read) || request !== null;
  const job = read("job-id").trim();
  const { prompt, promptFile, jobId, ...inputs } = parseInputs(read, (input) => {
    const own = {
      ...project(input),
      keys: markerKeys(input, read),
      policy: policy(input),
      pace: pollPace(input),
      ...(settings ?? githubSettings(input, context)),
      ...promptInputs(input, read, context, (text) => checkPrompt(text, isPrompted, job)),
      continueJob: input("continue-job", flag("true")),
      includeContext: input("include-context", oneOf(["auto", "true", "false"], "auto")),
    };
    const api = apiInputs(input, context);
    const isMessageOfV1 = isPrompted && api.version === "v1";
    return { ...own, api, jobId: input("job-id", (text) => checkJobId(text, isMessageOfV1)) };
  });
  return { ...inputs, task: taskOf(withRequest(promptFile ?? prompt, request), jobId) };
}

function policy(input: ParseInput): Policy {
  return {
    wait: input("wait", flag("true")),
    timeout: timeLimit(input, "30"),
    ifTimeout: input("if-timeout", oneOf(["error", "warn"], "error")),
    ifNoChanges: input("if-no-changes", oneOf(IF_NO_CHANGES, DEFAULT_END_POLICY.ifNoChanges)),
  };
}

function apiInputs(input: ParseInput, { runId, attempt }: RunContext): RunInputs["api"] {
  const version = input("api-version", oneOf(["v2", "v1"], "v2"));
  const ownBranch = `docs-agent/run-${[runId, attempt].join("-")}`;
  return {
    version,
    choices: {
      branch: input(
        "branch",
        onlyV1(version, (text) => BRANCH(text) ?? ownBranch),
      ),
      asDraft: input("as-draft", onlyV1(version, optional(flag()))),
      model: input("model", onlyV1(version, optional(oneOf(["sonnet", "opus"])))),
      messages: input(
        "messages",
        onlyV1(version, (text) => MESSAGES(text) ?? []),
      ),
    },
  };
}

/** Whether the workflow names an instruction or a job, so that a run needs no request by phrase. */
export function hasTask(read: ReadInput): boolean {
  return hasPrompt(read) || read("job-id").trim() !== "";
}

/** Reads what the post step needs that the main step does not save: the secrets. The main step has checked them. */
export function parseRecoveryInputs(read: ReadInput, context: RunContext) {
  return parseInputs(read, (input) => ({
    keys: markerKeys(input, read),
    ...githubAccess(input, context),
  }));
}

const BRANCH = optional(trimmedText("the name of a Git branch", isGitRef));
const JOB_ID = optional(segment("the ID of a job"));

/** An input that only version 1 of the agent API has. */
function onlyV1<T>(version: RunInputs["api"]["version"], check: InputCheck<T>): InputCheck<T> {
  return (text) => {
    if (version !== "v2" || text.trim() === "") return check(text);
    throw new InputProblem(
      `${quote(text)} is not allowed with api-version v2, only with v1. Remove it, or set api-version to v1.`,
    );
  };
}

function checkPrompt(text: string, isPrompted: boolean, job: string): string {
  if (isPrompted || (job !== "" && text === "")) return text;
  throw new InputProblem(
    `${quote(text)} is not allowed: it must contain an instruction, unless ${PROMPT_FILE} or job-id is set.`,
  );
}

function checkJobId(text: string, isMessageOfV1: boolean): string | null {
  if (!isMessageOfV1 || text.trim() === "") return JOB_ID(text);
  throw new InputProblem(
    [
      `${quote(text.trim())} is not allowed together with a prompt and api-version v1,`,
      "which cannot send messages to existing jobs.",
      "Set api-version to v2 to send one, or remove the prompt to wait for the job.",
    ].join(" "),
  );
}

function taskOf(prompt: string, jobId: string | null): JobTask {
  if (jobId === null) return { type: "create", prompt };
  if (prompt === "") return { type: "take-up", jobId, oldEndSince: null };
  return { type: "follow-up", jobId, prompt };
}
