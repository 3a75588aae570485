import { type ChangeDetails, detailsOfCommit, type MergedChange } from "./change-details.ts";
import type { History } from "./history.ts";

/**
 * Reads everything that filters and prompts use, with the files.
 *
 * @param known what is known of it already
 * @returns undefined: GitHub does not tell
 */
export async function readDetails(
  change: MergedChange,
  known: ChangeDetails | undefined,
  history: History,
): Promise<ChangeDetails | undefined> {
  const { number, sha } = change;
  try {
    if (number === null) {
      const read = await history.commitWithFiles(sha);
      if (read === undefined) return undefined;
      const { body } = known ?? detailsOfCommit({ id: 0, repository: "" }, read.commit);
      return { change, body, labels: [], files: read.files, hasMoreFiles: !read.isComplete };
    }
    const { body, labels } = known ?? (await history.pull(number));
    const { files, isComplete } = await history.pullFiles(number);
    return { change, body, labels, files, hasMoreFiles: !isComplete };
  } catch {
    return undefined;
  }
}
