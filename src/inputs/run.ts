import * as z from "zod/mini";
import type { RunContext } from "../github/trigger/run-context.ts";
import type { JobTask } from "../job/send.ts";
import type { V1Choices } from "../service/agent-v1.ts";
import { quote } from "../text/sentence.ts";
import {
  type Check,
  flag,
  isGitRef,
  json,
  oneOf,
  optional,
  Problem,
  parseInputs,
  type ReadInput,
  segment,
  textInput,
} from "./checks.ts";
import { GITHUB, KEYS, PROJECT, PROMPT, WAIT, withRequest } from "./shared.ts";

/** An input that only version 1 of the agent API has. */
const onlyV1 =
  <T>(check: Check<T>): Check<T> =>
  (text, read, context) => {
    const isV2 = ["", "v2"].includes(read("api-version").trim());
    if (!isV2 || text.trim() === "") return check(text, read, context);
    throw new Problem(
      `${quote(text)} is not allowed with api-version v2: only v1 supports this input. Remove it, or set api-version to v1.`,
    );
  };

const JOB_ID = optional(segment("the ID of a job"));
const V1_ROLES = ["system", "user", "assistant"] as const;

const RUN = {
  ...PROJECT,
  ...KEYS,
  ...WAIT,
  ...GITHUB,
  ...PROMPT,
  wait: flag("true"),
  "if-timeout": oneOf(["error", "warn"], "error"),
  "if-no-changes": oneOf(["ignore", "warn", "error"], "ignore"),
  "continue-job": flag("true"),
  /** `auto`: only for requests made by phrase. */
  "include-context": oneOf(["auto", "true", "false"], "auto"),
  "api-version": oneOf(["v2", "v1"], "v2"),
  branch: onlyV1(optional(textInput("the name of a Git branch", isGitRef))),
  "as-draft": onlyV1(optional(flag())),
  model: onlyV1(optional(oneOf(["sonnet", "opus"]))),
  messages: onlyV1(
    json<V1Choices["messages"]>(
      `a JSON array of {"role": …, "content": …}, in which each role is one of ${V1_ROLES.join(", ")} and each content is a non-empty string`,
      () => z.array(z.object({ role: z.enum(V1_ROLES), content: z.string().check(z.regex(/\S/)) })),
    ),
  ),
};

/** The inputs of the root action. Durations are in milliseconds. */
export type RunInputs = ReturnType<typeof parseRunInputs>;

/**
 * Reads and checks every input of the root action.
 *
 * @param request the request by phrase, which follows the prompt if there is one
 * @throws ActionError `invalid-input` with every invalid input, its value and what is allowed
 */
export function parseRunInputs(read: ReadInput, context: RunContext, request = "") {
  const texts = [read("prompt"), read("prompt-file"), request];
  const isPrompted = texts.some((text) => text.trim() !== "");
  const id = read("job-id").trim();
  const prompt = (text: string) => {
    if (isPrompted || (id !== "" && text === "")) return text;
    throw new Problem(
      `${quote(text)} is not allowed: it must contain an instruction, unless prompt-file or job-id is set.`,
    );
  };
  const jobId: typeof JOB_ID = (...args) => {
    if (!isPrompted || id === "" || read("api-version").trim() !== "v1") return JOB_ID(...args);
    throw new Problem(
      `${quote(id)} is not allowed together with a prompt and api-version v1, which cannot send messages to existing jobs. Set api-version to v2 to send one, or remove the prompt to wait for the job.`,
    );
  };
  const values = parseInputs({ ...RUN, prompt, "job-id": jobId }, read, context);
  const { apiVersion, asDraft, model, messages, pollInterval, pollMaxInterval } = values;
  const branch = values.branch ?? `docs-agent/run-${context.runId}-${context.attempt}`;
  const choices: V1Choices = { branch, asDraft, model, messages: messages ?? [] };
  return {
    ...values,
    api: { version: apiVersion, choices },
    task: taskOf(withRequest(values.promptFile || values.prompt, request), values.jobId),
    pace: { initial: pollInterval, max: pollMaxInterval },
  };
}

function taskOf(prompt: string, jobId: string | null): JobTask {
  if (jobId === null) return { type: "create", prompt };
  return prompt === "" ? { type: "take-up", jobId } : { type: "follow-up", jobId, prompt };
}
