import type { LedgerInputs } from "../ledger/issue/ledger-inputs.ts";
import { flag, hidden, input, wholeNumber } from "./checks.ts";
import { gitHubAccessChecks, issueNumber } from "./github-access.ts";
import { keysOf } from "./keys.ts";
import { previousKeyCheck, projectChecks } from "./service.ts";

/** The inputs of every action that keeps a ledger on an issue, which takes a token. */
export const ledgerChecks = {
  ...projectChecks,
  ...previousKeyCheck,
  "max-attempts": wholeNumber("a whole number from 1", "3"),
  dashboard: issueNumber("the number of an issue, such as 12"),
  "dry-run": flag("false"),
  ...gitHubAccessChecks,
  "github-token": input(
    "a token without line breaks or spaces",
    (text) => (/^[\x21-\x7E]+$/.test(text.trim()) ? text.trim() : undefined),
    { show: hidden },
  ),
};

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
