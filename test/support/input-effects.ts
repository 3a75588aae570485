/** What each input of an action decides, so that a test can try them one by one. */

import { isDeepStrictEqual } from "node:util";
import type { RunContext } from "../../src/github/trigger/run-context.ts";
import type { ReadInput } from "../../src/inputs/checks.ts";

/** What one input decides. */
export interface Effect {
  value: string;
  /** The fields that it changes, by their paths. Of a filter, the value is the paths that it matches. */
  fields: Record<string, unknown>;
  /** What must be set with it. */
  beside?: Record<string, string>;
}

/** An action, and how its inputs are read. */
export interface ParsedAction {
  metadata: string;
  parse: (read: ReadInput, context: RunContext) => unknown;
  /** The inputs that it cannot do without. */
  needed: Record<string, string>;
  /** Of its inputs, but for those that decide the field of their own name: see {@link effectOf}. */
  effects: Record<string, Effect>;
}

/**
 * What an input decides that has no effect of its own in a list: the number or flag of its name.
 *
 * @param preset its default in `action.yml`
 */
export function effectOf(name: string, preset: unknown): Effect {
  const field = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const isFlag = ["true", "false"].includes(String(preset));
  if (!isFlag) return { value: "9", fields: { [field]: 9 } };
  const other = String(preset) === "false";
  return { value: String(other), fields: { [field]: other } };
}

/** The address of the service. */
export const SERVICE: Record<string, Effect> = {
  "base-url": {
    value: "https://service.test",
    fields: { baseUrl: "https://service.test/" },
  },
};
/** The service, and the project there. */
export const PROJECT: Record<string, Effect> = {
  ...SERVICE,
  "api-key": { value: "mint_new", fields: { apiKey: "mint_new" } },
  "project-id": { value: "other", fields: { projectId: "other" } },
};
/** The keys of actions that sign markers. The first one also authorizes. */
export const KEYS: Record<string, Effect> = {
  "api-key": { value: "mint_new", fields: { apiKey: "mint_new", keys: ["mint_new"] } },
  "previous-api-key": { value: "mint_old", fields: { keys: ["mint_x", "mint_old"] } },
};
/** Access to GitHub's API. */
export const GITHUB: Record<string, Effect> = {
  "github-token": { value: "ghs_new", fields: { githubToken: "ghs_new" } },
  "github-api-url": {
    value: "https://github.test/api/v3",
    fields: { githubApiUrl: "https://github.test/api/v3" },
  },
};
/** What actions have that can be requested by phrase. */
export const REQUESTS: Record<string, Effect> = {
  ...GITHUB,
  // It is read before the other inputs, which it does not affect.
  "trigger-phrase": { value: "/docs", fields: {} },
  "required-permission": { value: "admin", fields: { requiredPermission: "admin" } },
  "allowed-users": { value: "ada", fields: { allowedUsers: ["ada"] } },
  "allowed-bots": { value: "renovate[bot]", fields: { allowedBots: ["renovate[bot]"] } },
  comment: { value: "false", fields: { comment: false } },
  "issue-number": { value: "7", fields: { issueNumber: 7 } },
  matrix: { value: '{"os":"linux"}', fields: { matrix: '{"os":"linux"}' } },
};
/** Which changes count. */
export const CHANGES: Record<string, Effect> = {
  paths: { value: "src/**", fields: { paths: ["src/a.ts"] } },
  "ignore-labels": { value: "skip", fields: { ignoreLabels: ["skip"] } },
  "only-labels": { value: "needs-docs", fields: { onlyLabels: ["needs-docs"] } },
  "ignore-authors": { value: "ada", fields: { ignoreAuthors: ["ada"] } },
};
/** What actions have that keep a ledger. */
export const LEDGER: Record<string, Effect> = {
  ...PROJECT,
  ...GITHUB,
  "ledger-ref": { value: "refs/heads/a", fields: { ledgerRef: "refs/heads/a" } },
  "dry-run": { value: "true", fields: { dryRun: true } },
};
/** What actions have that keep a ledger of batches. */
export const BATCHES: Record<string, Effect> = {
  ...LEDGER,
  "max-failures": { value: "5", fields: { maxFailures: 5 } },
  "max-attempts": { value: "9", fields: { maxAttempts: 9 } },
  "job-deadline-hours": { value: "2", fields: { jobDeadline: 7_200_000 } },
  dashboard: { value: "12", fields: { dashboard: 12 } },
  decisions: { value: "go on", fields: { decisions: [{ type: "go-on" }] } },
};
/** How often an action polls. */
export const PACE: Record<string, Effect> = {
  "poll-interval-seconds": { value: "1", fields: { "pace.initial": 1_000 } },
  "poll-max-interval-seconds": { value: "60", fields: { "pace.max": 60_000 } },
};

/** What filters are tried with. */
const PATHS = ["src/a.ts", "docs/a.md"];

/** The fields of parsed inputs, by their paths. */
function fieldsOf(value: unknown, at = ""): [string, unknown][] {
  if (value instanceof URL) return [[at, value.href]];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [[at, value]];
  if ("matches" in value && typeof value.matches === "function") {
    const { matches } = value;
    return [[at, PATHS.filter((name) => matches(name))]];
  }
  return Object.entries(value).flatMap(([name, field]) =>
    fieldsOf(field, at === "" ? name : `${at}.${name}`),
  );
}

/** The fields that an input changes. */
export async function changedBy(
  name: string,
  { value, beside }: Effect,
  action: ParsedAction,
  context: RunContext,
): Promise<Record<string, unknown>> {
  const parsed = async (inputs: Record<string, string>) => {
    const given: Record<string, string> = { ...action.needed, ...beside, ...inputs };
    return fieldsOf(await action.parse((input) => given[input] ?? "", context));
  };
  const before = new Map(await parsed({}));
  const after = await parsed({ [name]: value });
  return Object.fromEntries(
    after.filter(([field, parsedValue]) => !isDeepStrictEqual(before.get(field), parsedValue)),
  );
}
