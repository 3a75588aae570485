import {
  createComment,
  editComment,
  newestComments,
  type WrittenComment,
} from "../github/comments.ts";
import type { Connect } from "../github/connect.ts";
import type { Place } from "../github/markers.ts";
import { explainRefusal } from "../github/refusal.ts";
import type { Log } from "../runtime/log.ts";

/** The comments of a pull request, the newest first. */
export async function readComments(connect: Connect, place: Place): Promise<WrittenComment[]> {
  const comments: WrittenComment[] = [];
  for await (const comment of newestComments(await connect(), place)) comments.push(comment);
  return comments;
}

/** The gate's one comment on a pull request. Nothing is believed of it, so that it needs no signature. */
export class GateComment {
  readonly #mark: string;
  readonly #connect: Connect;
  readonly #log: Log;

  /** @param name tells the gates of one repository apart; empty for none */
  constructor(name: string, connect: Connect, log: Log) {
    this.#mark = `<!-- docs-agent-gate:${name} -->`;
    this.#connect = connect;
    this.#log = log;
  }

  /**
   * Brings it up to date. What GitHub refuses is a warning: the verdict is in the summary, too.
   *
   * @param isNews whether it is worth a comment where there is none
   * @returns its address; empty for none
   */
  async write(
    text: string,
    isNews: boolean,
    comments: readonly WrittenComment[],
    place: Place,
  ): Promise<string> {
    const body = `${this.#mark}\n${text}`;
    // Anybody could write the mark; of outsiders, it counts for nothing.
    const own = comments.filter((it) => it.isByInsider && it.body.startsWith(this.#mark));
    const first = own.at(-1);
    try {
      // Two runs at once may have written two.
      for (const { id, body: before } of own) {
        if (before.trimEnd() !== body.trimEnd()) {
          await editComment(await this.#connect(), place, id, body);
        }
      }
      if (first !== undefined) return first.url;
      return isNews ? (await createComment(await this.#connect(), place, body)).url : "";
    } catch (error) {
      const { why } = explainRefusal(error, "pull-requests: write");
      this.#log.warning(
        `The comment could not be written: ${why}. The verdict is in the step summary.`,
      );
      return first?.url ?? "";
    }
  }
}
