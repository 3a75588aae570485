import { type Comment, createComment, editComment, newestComments } from "../github/comments.ts";
import type { Connect } from "../github/connect.ts";
import type { Place } from "../github/markers.ts";
import { explainRefusal } from "../github/refusal.ts";
import type { Log } from "../runtime/log.ts";

/** The comments of a pull request, the newest first. */
export async function readComments(connect: Connect, place: Place): Promise<Comment[]> {
  const comments: Comment[] = [];
  for await (const comment of newestComments(await connect(), place)) comments.push(comment);
  return comments;
}

/** The comment of a gate, and where it belongs. */
interface GateComment {
  /** Tells the gates of one repository apart; empty for none. */
  name: string;
  text: string;
  /** Whether it is worth a comment where there is none. */
  isNews: boolean;
  place: Place;
  /** Those of the pull request. */
  comments: readonly Comment[];
}

/**
 * Brings the gate's one comment on a pull request up to date. Nothing is believed of it, so that it needs no
 * signature. What GitHub refuses is a warning: the verdict is in the summary, too.
 *
 * @returns its address; empty for none
 */
export async function writeGateComment(
  { name, text, isNews, place, comments }: GateComment,
  connect: Connect,
  log: Log,
): Promise<string> {
  const mark = `<!-- docs-agent-gate:${name} -->`;
  const body = `${mark}\n${text}`;
  // Anybody could write the mark; of outsiders, it counts for nothing.
  const own = comments.filter((it) => it.isByInsider && it.body.startsWith(mark));
  const first = own.at(-1);
  try {
    // Two runs at once may have written two.
    for (const { id, body: before } of own) {
      if (before.trimEnd() !== body.trimEnd()) await editComment(await connect(), place, id, body);
    }
    if (first !== undefined) return first.url;
    return isNews ? (await createComment(await connect(), place, body)).url : "";
  } catch (error) {
    const { why } = explainRefusal(error, "pull-requests: write");
    log.warning(`The comment could not be written: ${why}. The verdict is in the step summary.`);
    return first?.url ?? "";
  }
}
