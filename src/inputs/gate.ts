import type { RunContext } from "../github/run-context.ts";
import type { PathFilter } from "../text/path-filter.ts";
import { linesOf } from "../text/sentence.ts";
import { CHANGE_FILTERS, readPaths } from "./change-filters.ts";
import {
  checkInputs,
  flag,
  input,
  invalid,
  oneOf,
  type ReadInput,
  type ValuesOf,
} from "./checks.ts";
import { GITHUB_ACCESS, withApiUrl } from "./github.ts";
import { LEDGER_NAME } from "./ledger.ts";
import { checkServiceInputs, PREVIOUS_KEY, PROJECT } from "./service.ts";

const GATE = {
  ...PROJECT,
  // Runs for pull requests from forks have no secrets.
  "api-key": PREVIOUS_KEY["previous-api-key"],
  "project-id": input("the project ID from the dashboard (not . or ..)", (text) =>
    [".", ".."].includes(text.trim()) ? undefined : text.trim(),
  ),
  ...LEDGER_NAME,
  ...CHANGE_FILTERS,
  /** Whether the step fails for a pull request without documentation. */
  "if-needed": oneOf(["fail", "warn"], "fail"),
  comment: flag("true"),
  draft: oneOf(["never", "approved"], "never"),
  ...GITHUB_ACCESS,
};

/** The inputs of the gate. */
export interface GateInputs extends ValuesOf<typeof GATE> {
  /** Null: the built-in prompt. */
  prompt: string | null;
  paths: PathFilter;
  docsPaths: PathFilter;
  /** The lines of `docs-paths`. */
  docsPatterns: string[];
}

/**
 * Reads and checks every input of the gate.
 *
 * @param context contains the default of `github-api-url`
 * @throws ActionError `invalid-input` with every invalid input
 */
export function parseGateInputs(
  read: ReadInput,
  { apiUrl }: Pick<RunContext, "apiUrl">,
): GateInputs {
  const check = read("api-key").trim() === "" ? checkInputs : checkServiceInputs;
  const { values, problems } = check(GATE, withApiUrl(read, apiUrl));
  const prompt = read("prompt").trim() === "" ? null : read("prompt");
  const { paths, problems: wrong } = readPaths(read, "paths");
  const { paths: docsPaths, problems: wrongDocs } = readPaths(read, "docs-paths");
  problems.push(...wrong, ...wrongDocs);
  if (docsPaths?.isEmpty) problems.push(NO_DOCS);
  if (values !== null && values.apiKey !== "" && values.projectId === "") problems.push(NO_PROJECT);
  if (values === null || paths === null || docsPaths === null || problems.length > 0) {
    throw invalid(problems);
  }
  return { ...values, prompt, paths, docsPaths, docsPatterns: linesOf(read("docs-paths")) };
}

const NO_DOCS =
  "docs-paths: an empty value is not allowed: it must be path patterns, one per line, such as docs/**.";
const NO_PROJECT =
  "project-id: an empty value is not allowed together with api-key: it must be the project ID from the dashboard.";
