import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import { createComment, editComment, type MarkedComment, markedComments } from "./comments.ts";
import type { Connect } from "./connect.ts";
import type { Markers, Place, RunMarker } from "./markers.ts";
import { explainRefusal, type Refusal } from "./refusal.ts";

/** How often an edit that failed in passing is tried, and the delay before the next, in milliseconds. */
const EDIT_TRIES = 3;
const EDIT_DELAY = 1000;

/** Between a comment's text and its marker. */
const GAP = "\n\n";

export interface StatusCommentOptions<M extends RunMarker> {
  /** What a refusal does not affect, as a warning calls it. */
  subject: "job" | "answer";
  connect: Connect;
  log: Log;
  clock: Clock;
  markers: Markers<M>;
  place: Place;
  /** What the token needs, as a warning names it. */
  permission: string;
  /** Ends every delay: the run is being cancelled. */
  stop: AbortSignal;
}

/** Where a comment is. */
export interface CommentRef {
  id: number;
  url: string;
}

/** The run that a comment belongs to. */
export type RunIdentity = Pick<RunMarker, "run" | "attempt" | "step">;

/**
 * The one comment about a run, edited in place. What GitHub refuses becomes a warning and changes
 * nothing else.
 */
export class StatusComment<M extends RunMarker> {
  readonly #options: StatusCommentOptions<M>;
  /** One call at a time: an edit never overtakes the comment's creation. */
  #queue: Promise<void> = Promise.resolve();
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

  /** How many characters a marker and the gap before it take. */
  markerLength(marker: M): number {
    const { markers, place } = this.#options;
    return GAP.length + markers.write(place, marker).length;
  }

  /** Goes on with a comment that was there before. */
  adopt(comment: CommentRef): void {
    this.#comment = comment;
  }

  /** A comment may exist whose id was not saved: it is looked for before one is created. */
  mayExist(): void {
    this.#mayExist = true;
  }

  /** Finds the comment of a step of a workflow run, any attempt of it; null if it cannot be found. */
  async find({ run, step }: Pick<RunIdentity, "run" | "step">): Promise<MarkedComment<M> | null> {
    const { connect, place, markers } = this.#options;
    try {
      for await (const found of markedComments(await connect(), place, markers)) {
        if (found.marker.run === run && found.marker.step === step) return found;
      }
    } catch (error) {
      this.#warn("The comments could not be read", error);
    }
    return null;
  }

  /**
   * Creates the comment, or brings it up to date. Never throws.
   *
   * @param marker ends the comment; null for none
   * @param identity finds a comment that may exist
   */
  write(text: string, marker: M | null, identity: RunIdentity): Promise<void> {
    this.#queue = this.#queue.then(() => this.#write(text, marker, identity));
    return this.#queue;
  }

  async #write(text: string, marker: M | null, identity: RunIdentity): Promise<void> {
    const { connect, place, markers } = this.#options;
    const body = marker === null ? text : `${text}${GAP}${markers.write(place, marker)}`;
    if (this.#refused || body === this.#written) return;
    if (this.#comment === null && this.#mayExist) {
      this.#comment = (await this.find(identity))?.comment ?? null;
    }
    try {
      const github = await connect();
      const id = this.#comment?.id;
      this.#comment =
        id === undefined
          ? await createComment(github, place, body)
          : await this.#retry(() => editComment(github, place, id, body));
      this.#written = body;
    } catch (error) {
      const { isPassing } = this.#warn("The comment could not be written", error);
      this.#refused = !isPassing;
      this.#mayExist = this.#comment === null;
    }
  }

  /** An edit may be repeated; a comment that is being created might then exist twice. */
  async #retry<T>(edit: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await edit();
      } catch (error) {
        const { isPassing } = explainRefusal(error, "");
        const { stop, clock } = this.#options;
        if (!isPassing || attempt === EDIT_TRIES || stop.aborted) throw error;
        await clock.sleep(EDIT_DELAY * attempt, stop);
      }
    }
  }

  #warn(what: string, error: unknown): Refusal {
    const { log, permission, subject } = this.#options;
    const refusal = explainRefusal(error, permission);
    log.warning(`${what}: ${refusal.why}. The ${subject} is not affected.`);
    return refusal;
  }
}
