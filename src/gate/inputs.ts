import type { ChangeFilters } from "../github/changes/change-details.ts";
import type { ApiKeys } from "../github/conversation/markers.ts";
import type { RunContext } from "../github/trigger/run-context.ts";
import {
  flag,
  notAllowed,
  oneOf,
  parseInputs,
  paths,
  type ReadInput,
  trimmedText,
} from "../inputs/checks.ts";
import { changeFilters, ledgerName, ledgerRef } from "../inputs/ledger.ts";
import {
  type GitHubAccess,
  githubAccess,
  markerKeys,
  type ProjectInputs,
  projectIfKey,
} from "../inputs/shared.ts";
import type { PathFilter } from "../text/path-filter.ts";
import { linesOf } from "../text/sentence.ts";

/** The inputs that decide about a verdict and its text. */
export interface GateRules extends ChangeFilters {
  docsPaths: PathFilter;
  /** The unchanged patterns of the documentation's files. */
  docsPatterns: string[];
  /** Whether a pull request without documentation is red. */
  ifNeeded: "error" | "warn";
}

/** @throws ActionError `invalid-input` with every invalid input */
export function parseGateInputs(
  read: ReadInput,
  context: RunContext,
): GateRules &
  GitHubAccess & {
    /** Null without a key, which runs for pull requests from forks do not get. */
    service: ProjectInputs | null;
    /** They verify the markers of status comments, if there is a key. */
    keys: ApiKeys;
    name: string;
    /** Null for the built-in prompt. */
    prompt: string | null;
    /** The name of the commit status. */
    statusName: string;
    /** Upkeep's ledger, if it is not below `refs/docs-agent/`. */
    ledgerRef: string | null;
    comment: boolean;
    draft: "never" | "approved";
  } {
  const { docs, ...inputs } = parseInputs(read, (input) => ({
    service: projectIfKey(input, read),
    keys: markerKeys(input, read),
    name: ledgerName(input),
    ...changeFilters(input),
    docs: input("docs-paths", docsPaths),
    prompt: input("prompt", (text) => (text.trim() === "" ? null : text)),
    ledgerRef: ledgerRef(input),
    ifNeeded: input("if-needed", ifNeeded),
    statusName: input("status-name", statusName),
    comment: input("comment", flag("true")),
    draft: input("draft", oneOf(["never", "approved"], "never")),
    ...githubAccess(input, context, true),
  }));
  return { ...inputs, docsPaths: docs.filter, docsPatterns: docs.patterns };
}

const oneOfIfNeeded = oneOf(["error", "warn"], "error");

function ifNeeded(text: string): "error" | "warn" {
  if (text.trim() !== "fail") return oneOfIfNeeded(text);
  throw notAllowed("fail", "error, which is its name now, or warn");
}

const statusName = trimmedText(
  "one line of at most 100 characters, such as docs gate",
  (text) => /^[^\p{Cc}]{1,100}$/u.test(text),
  { fallback: "docs gate" },
);

function docsPaths(text: string): {
  filter: PathFilter;
  /** The unchanged patterns. */
  patterns: string[];
} {
  const patterns = linesOf(text);
  if (patterns.length > 0) return { filter: paths(text), patterns };
  throw notAllowed("an empty value", "path patterns, one per line, such as docs/**");
}
