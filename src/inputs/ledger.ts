import type { LedgerInputs } from "../ledger/run/ledger-run.ts";
import { flag, hidden, input, positive, wholeNumber } from "./checks.ts";
import { isGitRef } from "./git-ref.ts";
import { gitHubAccessChecks, issueNumber } from "./github-access.ts";
import { projectChecks } from "./service.ts";

const HOUR = 60 * 60_000;

/** The inputs of every action that keeps a ledger, which takes a token. */
export const ledgerChecks = {
  ...projectChecks,
  "ledger-ref": input(
    "the full name of a ref, such as refs/heads/docs-ledger, with letters, digits, ., -, _ and /",
    (text) => {
      const given = text.trim();
      if (given === "") return null;
      return /^refs\/[\w-]+\/[\w./-]+$/.test(given) && isGitRef(given) ? given : undefined;
    },
  ),
  "max-attempts": wholeNumber("a whole number of 1 or more", "3"),
  "job-deadline-hours": positive("hours", HOUR, "24"),
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
  "project-id": string;
  "base-url": URL;
  "github-token": string;
  "github-api-url": URL;
  "ledger-ref": string | null;
  "max-attempts": number;
  "job-deadline-hours": number;
  dashboard: number | null;
  "dry-run": boolean;
}

/** @param data what a schema with {@link ledgerChecks} made of the inputs */
export function ledgerInputs(data: LedgerData): Omit<LedgerInputs, "name"> {
  return {
    apiKey: data["api-key"],
    projectId: data["project-id"],
    baseUrl: data["base-url"],
    githubToken: data["github-token"],
    githubApiUrl: data["github-api-url"],
    ledgerRef: data["ledger-ref"],
    maxAttempts: data["max-attempts"],
    jobDeadline: data["job-deadline-hours"],
    dashboard: data.dashboard,
    dryRun: data["dry-run"],
  };
}
