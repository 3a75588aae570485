/** Reads the files that a pull request changes at one head. */

import { ABSENT, type Fact, known } from "../../runtime/fact.ts";
import type { GitHub } from "../api/client.ts";
import { isServerFault } from "./history-reader.ts";
import { type ChangedFile, fileOf } from "./history-records.ts";

/** How many files a comparison lists. */
const MOST_COMPARED = 300;
/** How many files a pull request's list has. There may be more. */
const MOST_LISTED = 3_000;

export type PullFiles =
  | {
      readonly type: "listed";
      readonly files: readonly ChangedFile[];
      /** Whether its base already has all of its commits. */
      readonly isInBase: boolean;
    }
  /** There are more than GitHub lists. `files`: those that it does. */
  | { readonly type: "unlisted"; readonly files: readonly ChangedFile[] }
  /** Its head has moved meanwhile. */
  | { readonly type: "moved" };

/** The list of a pull request names no head and may be behind, so a comparison at the head comes first. */
export async function pullFilesAt(
  github: GitHub,
  pull: {
    /** `owner/name` */
    readonly repository: string;
    readonly number: number;
    readonly base: string;
    /** SHA */
    readonly head: string;
  },
): Promise<Fact<PullFiles>> {
  const compared = await comparedFiles(github, pull);
  return compared.type === "absent" ? await listedFiles(github, pull) : compared;
}

/** By the list of the pull request, if its head has not moved when that was read. */
export async function listedFiles(
  github: GitHub,
  pull: { repository: string; number: number; head: string },
): Promise<Fact<PullFiles>> {
  const { repository, number } = pull;
  const listed = await github.pulls.files({ repository, number });
  if (listed.type !== "known") return listed;
  const read = await github.pulls.get({ repository, number });
  if (read.type !== "known") return read;
  if (read.value.head.sha !== pull.head) return known({ type: "moved" });
  const { items, isComplete } = listed.value;
  const files = items.map(fileOf);
  if (!isComplete || items.length >= MOST_LISTED) return known({ type: "unlisted", files });
  return known({ type: "listed", files, isInBase: false });
}

/** Absent if the comparison may not list all files, or GitHub cannot make it. */
export async function comparedFiles(
  github: GitHub,
  { repository, base, head }: { repository: string; base: string; head: string },
): Promise<Fact<PullFiles>> {
  const fact = await github.commits.comparedFiles({ repository, base, head });
  if (fact.type === "unread") {
    // The diff is too large, or a late copy does not have the head yet.
    const isUnmade = isServerFault(fact) || fact.status === 404 || fact.status === 422;
    return isUnmade ? ABSENT : fact;
  }
  if (fact.type === "absent" || fact.value.files.length >= MOST_COMPARED) return ABSENT;
  const isInBase = fact.value.total_commits === 0;
  return known({ type: "listed", files: fact.value.files.map(fileOf), isInBase });
}
