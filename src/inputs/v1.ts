import { V1_ROLES, type V1Choices, type V1Message } from "../service/v1-choices.ts";
import { quote } from "../text/quote.ts";
import { checkInputs, input, oneOf, type ReadInput } from "./checks.ts";

/** The version of the agent's interface that a run uses. */
export type Api = { version: "v2" } | { version: "v1"; choices: V1Choices };

const NAMES = ["branch", "as-draft", "model", "messages"] as const;

/** One of a few words in any case; null when none is given. */
function word<const T extends string>(...words: T[]) {
  return input(`${words.join(" or ")}, or empty`, (text): T | null | undefined => {
    const given = text.trim().toLowerCase();
    return given === "" ? null : words.find((it) => it === given);
  });
}

const V1 = {
  branch: input("the name of a Git branch", (text) => {
    const name = text.trim();
    return name === "" || isBranch(name) ? name : undefined;
  }),
  "as-draft": word("true", "false"),
  model: word("sonnet", "opus"),
};

const VERSION = { "api-version": oneOf(["v2", "v1"], "v2") };

/**
 * Reads `api-version`, and the inputs that only version 1 knows.
 *
 * @param run the workflow run, for the branch's name when none is given
 * @returns the choices, and what is wrong, a sentence each
 */
export function readApi(
  read: ReadInput,
  run: { runId: string; attempt: number },
): { api: Api; problems: string[] } {
  const version = checkInputs(VERSION, read);
  // Of the other inputs nothing is said before it is known which version they are for.
  if (version.values === null) return { api: { version: "v2" }, problems: version.problems };
  if (version.values.apiVersion === "v2") {
    const problems = NAMES.filter((name) => read(name).trim() !== "").map(
      (name) =>
        `${name}: ${quote(read(name))} is not allowed with api-version v2: only v1 supports this input. Remove it, or set api-version to v1.`,
    );
    return { api: { version: "v2" }, problems };
  }
  const { values, problems } = checkInputs(V1, read);
  const { messages, problem } = readMessages(read("messages"));
  if (problem !== "") problems.push(`messages: ${problem}.`);
  const choices: V1Choices = {
    branch: values?.branch || `docs-agent/run-${run.runId}-${run.attempt}`,
    asDraft: values?.asDraft ? values.asDraft === "true" : null,
    model: values?.model ?? null,
    messages,
  };
  return { api: { version: "v1", choices }, problems };
}

/** What Git refuses in the name of a branch (git-check-ref-format), and a few things nobody means. */
function isBranch(name: string): boolean {
  const refused = /[\u0000- \u007F~^:?*[\\]|\.\.|@\{|\/\/|^[-/]|[/.]$|(^|\/)\.|\.lock(\/|$)|^@$/;
  return !refused.test(name) && name.length <= 255;
}

function readMessages(text: string): { messages: V1Message[]; problem: string } {
  if (text.trim() === "") return { messages: [], problem: "" };
  const refused = (what: string) => ({
    messages: [],
    problem: `${what} is not allowed: it must be a JSON array of {"role": …, "content": …}, in which each role is one of ${V1_ROLES.join(", ")} and each content is a non-empty string`,
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refused(quote(text));
  }
  if (!Array.isArray(value)) return refused(quote(text));
  const messages = value.map(readMessage);
  const wrong = messages.indexOf(null);
  if (wrong >= 0) return refused(`item ${wrong + 1}, ${quote(JSON.stringify(value[wrong]))},`);
  return { messages: messages.filter((it) => it !== null), problem: "" };
}

function readMessage(value: unknown): V1Message | null {
  const { role, content } = (value ?? {}) as Record<string, unknown>;
  const known = V1_ROLES.find((it) => it === role);
  const isText = typeof content === "string" && content.trim() !== "";
  return known !== undefined && isText ? { role: known, content } : null;
}
