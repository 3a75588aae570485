import type { ApiKeys } from "../github/markers.ts";
import type { RecoverInputs } from "../ledger/recover.ts";
import { flag, hidden, input, type ReadInput, wholeNumber } from "./checks.ts";
import { gitHubAccessChecks, issueNumber } from "./github-access.ts";
import { keysOf, previousKeyCheck, projectChecks } from "./service.ts";

/** The inputs of every action that keeps a ledger on an issue, which takes a token. */
export const ledgerChecks = {
  ...projectChecks,
  ...previousKeyCheck,
  "max-attempts": wholeNumber("a whole number of 1 or more", "3"),
  dashboard: issueNumber("the number of an issue, such as 12"),
  "dry-run": flag("false"),
  ...gitHubAccessChecks,
  "github-token": input(
    "a token without line breaks or spaces",
    (text) => (/^[\x21-\x7E]+$/.test(text.trim()) ? text.trim() : undefined),
    { show: hidden },
  ),
};

/** The same, checked. */
export interface LedgerInputs {
  apiKey: string;
  /** Those that markers are read with; the first is the API key. */
  keys: ApiKeys;
  projectId: string;
  baseUrl: URL;
  githubToken: string;
  githubApiUrl: URL;
  maxAttempts: number;
  /** Null: the issue is found by its label and marker, or opened. */
  dashboard: number | null;
  dryRun: boolean;
}

interface LedgerData {
  "api-key": string;
  "previous-api-key": string;
  "project-id": string;
  "base-url": URL;
  "github-token": string;
  "github-api-url": URL;
  "max-attempts": number;
  dashboard: number | null;
  "dry-run": boolean;
}

/** @param data what a schema with {@link ledgerChecks} made of the inputs */
export function ledgerInputs(data: LedgerData): LedgerInputs {
  return {
    apiKey: data["api-key"],
    keys: keysOf(data),
    projectId: data["project-id"],
    baseUrl: data["base-url"],
    githubToken: data["github-token"],
    githubApiUrl: data["github-api-url"],
    maxAttempts: data["max-attempts"],
    dashboard: data.dashboard,
    dryRun: data["dry-run"],
  };
}

/** The inputs that a post step needs; its main step has checked them. */
export function readRecoverInputs(read: ReadInput): RecoverInputs {
  const keys = { "api-key": read("api-key"), "previous-api-key": read("previous-api-key").trim() };
  return { keys: keysOf(keys), githubToken: read("github-token").trim() };
}
