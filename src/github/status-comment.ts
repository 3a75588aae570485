import type { Dependencies } from "../runtime/dependencies.ts";
import { type Comment, createComment, editComment, newestComments } from "./comments.ts";
import type { Connect } from "./connect.ts";
import type { Markers, Place } from "./markers.ts";
import { explainRefusal } from "./refusal.ts";

/** Attempts to edit, and the delay between them, in milliseconds. The client waits for rate limits. */
const EDIT_TRIES = 3;
const EDIT_DELAY = 1000;

const GAP = "\n\n";

/** The body of a comment: its text and its marker. */
export function markedText(text: string, marker: string): string {
  return `${text}${GAP}${marker}`;
}

interface StatusCommentOptions<M extends object> extends Pick<Dependencies, "log" | "clock"> {
  /** What a refusal does not affect, for warnings. */
  subject: "job" | "answer";
  connect: Connect;
  markers: Markers<M>;
  place: Place;
  /** The permission that the token needs, for warnings. */
  permission: string;
  /** Names the comment before it has an id; no other comment has this name. */
  draft: string;
  /** Ends every delay when the run is cancelled. */
  stop: AbortSignal;
}

export type CommentRef = Pick<Comment, "id" | "url">;

/**
 * The comment about a run, edited in place. If GitHub refuses it, this logs a warning, and the run continues.
 */
export class StatusComment<M extends object> {
  readonly #options: StatusCommentOptions<M>;
  /** One call at a time: an edit never overtakes the comment's creation. */
  #queue: Promise<void> = Promise.resolve();
  #count = 0;
  #comment: CommentRef | null = null;
  #written = "";
  #refused = false;
  /** Whether a comment may exist whose id is not known. */
  #mayExist = false;

  constructor(options: StatusCommentOptions<M>) {
    this.#options = options;
  }

  /** The comment; null until it exists. */
  get ref(): CommentRef | null {
    return this.#comment;
  }

  get place(): Place {
    return this.#options.place;
  }

  /** Maximum length of a marker and the gap before it, in characters. */
  markerLength(marker: M): number {
    const { markers, place, draft } = this.#options;
    const named = markers.write(place, marker, Number.MAX_SAFE_INTEGER);
    return GAP.length + Math.max(named.length, markers.writeDraft(place, marker, draft).length);
  }

  /** Uses an existing comment. */
  adopt({ id, url }: CommentRef): void {
    this.#comment = { id, url };
  }

  /** Looks for an existing comment before creating one: its ID may not have been saved. */
  mayExist(): void {
    this.#mayExist = true;
  }

  /** Updates the comment, unless there is a newer text by then. Never throws. */
  write(text: string, marker: M, onCreated: () => void = () => {}): Promise<void> {
    this.#count += 1;
    const turn = this.#count;
    this.#queue = this.#queue.then(async () => {
      if (turn === this.#count && !this.#refused) await this.#write(text, marker, onCreated);
    });
    return this.#queue;
  }

  async #write(text: string, marker: M, onCreated: () => void): Promise<void> {
    const { connect, markers, place, draft, log, permission, subject } = this.#options;
    try {
      if (this.#comment === null) {
        const body = markedText(text, markers.writeDraft(place, marker, draft));
        const lost = this.#mayExist ? await this.#findLost() : null;
        const { id, url } = lost ?? (await createComment(await connect(), place, body));
        this.#comment = { id, url };
        onCreated();
      }
      const { id } = this.#comment;
      const body = markedText(text, markers.write(place, marker, id));
      if (body === this.#written) return;
      this.adopt(await this.#edit(id, body));
      this.#written = body;
    } catch (error) {
      const { why, isPassing } = explainRefusal(error, permission);
      log.warning(`The comment could not be written: ${why}. The ${subject} is not affected.`);
      this.#refused = !isPassing;
      this.#mayExist = this.#comment === null;
    }
  }

  /** The comment that an earlier attempt created if GitHub's answer was lost: the oldest one with its name. */
  async #findLost(): Promise<CommentRef | null> {
    const { connect, place, markers, draft } = this.#options;
    let oldest: Comment | null = null;
    for await (const comment of newestComments(await connect(), place)) {
      if (markers.isDraft(comment.body, place, draft)) oldest = comment;
    }
    return oldest;
  }

  /** Edits can be repeated. A repeated creation could leave two comments. */
  async #edit(id: number, body: string): Promise<CommentRef> {
    const { connect, place, stop, clock } = this.#options;
    const github = await connect();
    for (let attempt = 1; ; attempt++) {
      try {
        return await editComment(github, place, id, body);
      } catch (error) {
        const { isPassing, isLimit } = explainRefusal(error, "");
        if (!isPassing || isLimit || attempt === EDIT_TRIES || stop.aborted) throw error;
        await clock.sleep(EDIT_DELAY * attempt, stop);
      }
    }
  }
}
