/** Reads the files that a pull request changes at one head. */

import { statusOf } from "../api/refusal.ts";
import { type ReadingClient, RepositoryReader } from "../api/repository.ts";
import { History } from "./history.ts";
import { comparedFiles } from "./history-answers.ts";
import { type ChangedFile, fileOf } from "./history-records.ts";

/** How many files a comparison lists. */
const MOST_COMPARED = 300;
/** How many files a pull request's list has, and how many pages that is. There may be more. */
const MOST_LISTED = 3_000;
const MOST_PAGES = 30;

export type PullFiles =
  | {
      readonly type: "listed";
      readonly files: readonly ChangedFile[];
      /** Whether its base already has all of its commits. */
      readonly isInBase: boolean;
    }
  /** There are more than GitHub lists. */
  | { readonly type: "unlisted" }
  /** Its head has moved meanwhile. */
  | { readonly type: "moved" };

/** A pull request at one head. */
interface PullAtHead {
  /** `owner/name` */
  readonly repository: string;
  readonly number: number;
  readonly base: string;
  /** SHA */
  readonly head: string;
}

/**
 * The list of a pull request names no head and may be behind, so a comparison at the head comes first.
 *
 * @throws the errors of the client, or `UnusableAnswer`
 */
export async function readPullFiles(github: ReadingClient, pull: PullAtHead): Promise<PullFiles> {
  const compared = await compare(github, pull);
  if (compared !== null) return compared;
  const history = new History(github, pull.repository);
  const { files, isComplete } = await history.pullFiles(pull.number, MOST_PAGES);
  const { head } = await history.pull(pull.number);
  if (head !== pull.head) return { type: "moved" };
  if (!isComplete || files.length >= MOST_LISTED) return { type: "unlisted" };
  return { type: "listed", files, isInBase: false };
}

/** @returns null if the comparison may not list all files, or GitHub cannot make it */
async function compare(
  github: ReadingClient,
  { repository, base, head }: PullAtHead,
): Promise<PullFiles | null> {
  const reader = new RepositoryReader(github, repository);
  try {
    const asked = { basehead: `${base}...${head}`, per_page: 1, page: 1 };
    const answer = await reader.get(comparedFiles, "/compare/{basehead}", asked);
    if (answer.files.length >= MOST_COMPARED) return null;
    const isInBase = answer.total_commits === 0;
    return { type: "listed", files: answer.files.map(fileOf), isInBase };
  } catch (error) {
    // The diff is too large, or a late copy does not have the head yet.
    const status = statusOf(error);
    if (status === 404 || status === 422 || status >= 500) return null;
    throw error;
  }
}
