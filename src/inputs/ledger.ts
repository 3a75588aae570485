import { flag, hidden, input, isGitRef, positive, wholeNumber } from "./checks.ts";
import { GITHUB_ACCESS, issueNumber } from "./github.ts";
import { PROJECT } from "./service.ts";

const HOUR = 60 * 60_000;
/** The last part of a ref. */
const NAME = /^(?!.*(?:\.\.|\.lock$|\.$))[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/;

/** Distinguishes the ledgers of one project by the last part of their refs. */
export const LEDGER_NAME = {
  name: input("letters, digits, ., - and _, such as api-docs", (text) =>
    text.trim() === "" || NAME.test(text.trim()) ? text.trim() : undefined,
  ),
};

/** The ledger of an action, and the access to it. */
export const LEDGER_FILE = {
  ...PROJECT,
  "ledger-ref": input(
    "the full name of a ref, such as refs/heads/docs-ledger, with letters, digits, ., -, _ and /",
    (text) => {
      const given = text.trim();
      if (given === "") return null;
      return /^refs\/[\w-]+\/[\w./-]+$/.test(given) && isGitRef(given) ? given : undefined;
    },
  ),
  "dry-run": flag("false"),
  ...GITHUB_ACCESS,
  "github-token": input(
    "a token without line breaks or spaces",
    (text) => (/^[\x21-\x7E]+$/.test(text.trim()) ? text.trim() : undefined),
    { show: hidden },
  ),
};

/** The inputs of the actions whose ledger contains batches. */
export const LEDGER = {
  ...LEDGER_FILE,
  "max-attempts": wholeNumber("a whole number of 1 or more", "3"),
  "job-deadline-hours": positive("hours", HOUR, "24"),
  dashboard: issueNumber("the number of an issue, such as 12"),
};
