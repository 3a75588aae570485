import { flag, hidden, input, positive, wholeNumber } from "./checks.ts";
import { isGitRef } from "./git-ref.ts";
import { GITHUB_ACCESS, issueNumber } from "./github.ts";
import { PROJECT } from "./service.ts";

const HOUR = 60 * 60_000;

/** The inputs of every action that keeps a ledger, which takes a token. */
export const LEDGER = {
  ...PROJECT,
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
  ...GITHUB_ACCESS,
  "github-token": input(
    "a token without line breaks or spaces",
    (text) => (/^[\x21-\x7E]+$/.test(text.trim()) ? text.trim() : undefined),
    { show: hidden },
  ),
};
