import { explainRefusal } from "../../github/refusal.ts";
import { ActionError } from "../../runtime/errors.ts";
import type { IssueRecord } from "./ledger-issue.ts";

const ROTATED =
  "If `api-key` was rotated, set `previous-api-key` to the key before; if the issue belongs to something else, set `dashboard` to the number of another. Nothing was sent.";

/** An issue that may be this ledger's and does not verify: starting afresh would do everything twice. */
export function foreign({ number }: IssueRecord, repository: string): ActionError {
  return new ActionError(
    "invalid-input",
    `dashboard: issue #${number} of ${repository} was written with another key, or is not a dashboard of this project.`,
    ROTATED,
  );
}

/** @throws ActionError `github-unavailable` for whatever `work` throws */
export async function guarded<T>(permission: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw unavailable(error, permission);
  }
}

/** A refusal when the ledger is read or written: nothing was sent. */
export function unavailable(error: unknown, permission: string): ActionError {
  const { why } = explainRefusal(error, permission);
  return new ActionError(
    "github-unavailable",
    `The dashboard could not be read or written: ${why}.`,
    `Nothing was sent. Give the workflow \`permissions: ${permission}\`, and switch issues on in the repository.`,
    { cause: error },
  );
}
