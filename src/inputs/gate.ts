import type { RunContext } from "../github/trigger/run-context.ts";
import { linesOf } from "../text/sentence.ts";
import {
  type Check,
  flag,
  notAllowed,
  oneOf,
  parseInputs,
  paths,
  type ReadInput,
} from "./checks.ts";
import { CHANGE_FILTERS, GITHUB_ACCESS, LEDGER_NAME, PROJECT } from "./shared.ts";

/** Without a key, which runs for pull requests from forks do not get, no project is needed. */
const withKey =
  (check: Check<string>): Check<string> =>
  (text, read, context) =>
    read("api-key").trim() === "" ? text.trim() : check(text, read, context);

const GATE = {
  ...PROJECT,
  "api-key": withKey(PROJECT["api-key"]),
  "project-id": withKey(PROJECT["project-id"]),
  ...LEDGER_NAME,
  ...CHANGE_FILTERS,
  "docs-paths": ((...args) => {
    if (linesOf(args[0]).length > 0) return paths(...args);
    throw notAllowed("an empty value", "path patterns, one per line, such as docs/**");
  }) as typeof paths,
  /** Null for the built-in prompt. */
  prompt: ((text) => (text.trim() === "" ? null : text)) as Check<string | null>,
  /** Whether the step fails for a pull request without documentation. */
  "if-needed": oneOf(["fail", "warn"], "fail"),
  comment: flag("true"),
  draft: oneOf(["never", "approved"], "never"),
  ...GITHUB_ACCESS,
};

/** The inputs of the gate. */
export type GateInputs = ReturnType<typeof parseGateInputs>;

/** @throws ActionError `invalid-input` with every invalid input */
export function parseGateInputs(read: ReadInput, context: RunContext) {
  const values = parseInputs(GATE, read, context);
  return { ...values, docsPatterns: linesOf(read("docs-paths")) };
}
