import type { RunContext } from "../github/trigger/run-context.ts";
import {
  flag,
  type InputCheck,
  lines,
  optional,
  parseInputs,
  type ReadInput,
  trimmedText,
} from "../inputs/checks.ts";
import { ledgerRef } from "../inputs/ledger.ts";
import {
  DOMAIN,
  GIVEN_TOKEN,
  type GitHubAccess,
  githubApiUrl,
  PROJECT_ID,
  SERVICE_URL,
  serviceKey,
} from "../inputs/shared.ts";
import { ActionError } from "../runtime/errors.ts";
import { isId } from "../service/agent.ts";

/** The actions whose permissions can be checked. */
export const CHECKED_ACTIONS = [
  "root",
  "upkeep",
  "land",
  "gate",
  "deploy",
  "queue",
  "collect",
  "assistant",
] as const;

export type CheckedAction = (typeof CHECKED_ACTIONS)[number];

/** Those that have a ledger, the gate for its drafts. */
export const REF_ACTIONS: readonly CheckedAction[] = ["upkeep", "land", "gate", "queue"];
/** Those that have the agent open pull requests, or work on them. */
export const PULL_ACTIONS: readonly CheckedAction[] = ["root", "upkeep", "land", "gate", "queue"];
/** Those that have a dashboard. */
export const DASHBOARD_ACTIONS: readonly CheckedAction[] = ["upkeep", "queue"];

/** An input of which a wrong value is a finding, not an error. `problem` begins with the input's name. */
export type Judged<T> = { type: "valid"; value: T } | { type: "invalid"; problem: string };

/** The inputs of doctor. */
export interface DoctorInputs extends Pick<GitHubAccess, "githubApiUrl"> {
  apiKey: Judged<string>;
  projectId: Judged<string>;
  baseUrl: Judged<URL>;
  /** Null if the assistant is not used. */
  assistantApiKey: Judged<string> | null;
  domain: Judged<string> | null;
  githubToken: Judged<string>;
  /** Null for those that the token's permissions allow. */
  actions: CheckedAction[] | null;
  /** `owner/name` of the documentation's repository; null if it is not given. */
  repository: string | null;
  /** The ref of a ledger, which is tried and read in place of those below `refs/docs-agent/`; null for those. */
  ledgerRef: string | null;
  /** Whether a ref is made and deleted. */
  trial: boolean;
}

const ACTIONS: InputCheck<CheckedAction[]> = (text) => {
  const isAction = (line: string) => CHECKED_ACTIONS.some((action) => action === line);
  const named = lines(`actions out of ${CHECKED_ACTIONS.join(", ")}`, isAction)(text);
  return CHECKED_ACTIONS.filter((action) => named.includes(action));
};

const REPOSITORY = trimmedText("owner/name of one repository", (text) => {
  const [owner, name, ...others] = text.split("/");
  return isId(owner) && isId(name) && others.length === 0 && /^[\w./-]+$/.test(text);
});

/** @throws ActionError `invalid-input` with what doctor cannot do without */
export function parseDoctorInputs(read: ReadInput, context: RunContext): DoctorInputs {
  const judged = <T>(name: string, check: InputCheck<T>) => judge(read, name, check);
  const ifGiven = <T>(name: string, check: InputCheck<T>) =>
    read(name).trim() === "" ? null : judged(name, check);
  return {
    ...parseInputs(read, (input) => ({
      actions: input("actions", optional(ACTIONS)),
      repository: input("repository", optional(REPOSITORY)),
      ledgerRef: ledgerRef(input),
      trial: input("trial", flag("true")),
      githubApiUrl: githubApiUrl(input, context),
    })),
    apiKey: judged("api-key", serviceKey("admin")),
    projectId: judged("project-id", PROJECT_ID),
    baseUrl: judged("base-url", SERVICE_URL),
    assistantApiKey: ifGiven("assistant-api-key", serviceKey("assistant")),
    domain: ifGiven("domain", DOMAIN),
    githubToken: judged("github-token", GIVEN_TOKEN),
  };
}

function judge<T>(read: ReadInput, name: string, check: InputCheck<T>): Judged<T> {
  try {
    return { type: "valid", value: parseInputs(read, (input) => input(name, check)) };
  } catch (error) {
    if (!(error instanceof ActionError)) throw error;
    return { type: "invalid", problem: error.problem };
  }
}
