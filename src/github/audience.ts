import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import {
  createComment,
  editComment,
  type Reaction,
  type Remembered,
  react,
  rememberedComments,
} from "./comments.ts";
import type { Connect } from "./connect.ts";
import type { Reactable } from "./given.ts";
import type { Markers, Place, RunMemory } from "./marker.ts";
import { explainRefusal, type Refusal } from "./refusal.ts";

/** How often an edit that failed in passing is tried again, and the delay before it, in milliseconds. */
const EDIT_TRIES = 3;
const EDIT_DELAY = 1000;

export interface AudienceOptions<M extends RunMemory> {
  /** What a refusal leaves as it is. */
  subject: "job" | "answer";
  /** Makes the client of GitHub's API when it is first needed. */
  connect: Connect;
  log: Log;
  clock: Clock;
  markers: Markers<M>;
  /** Where the comment stands. */
  place: Place;
  /** Put on the permission in a warning: `issues: write` or `pull-requests: write`. */
  permission: string;
  /** Ends every delay: the run is being cancelled. */
  stop: AbortSignal;
}

/** The run that a comment belongs to. */
export type RunIdentity = Pick<RunMemory, "run" | "attempt" | "step">;

/**
 * The people on the triggering issue or pull request, who are told of the run by one comment that is
 * edited in place. What GitHub refuses becomes a warning and changes nothing else.
 */
export class Audience<M extends RunMemory> {
  readonly #options: AudienceOptions<M>;
  /** One call at a time: an edit never overtakes the comment's creation. */
  #queue: Promise<void> = Promise.resolve();
  #comment: { id: number; url: string } | undefined;
  #shown = "";
  #refused = false;
  /** Whether a comment may exist whose id is not known. */
  #lostTrack = false;

  constructor(options: AudienceOptions<M>) {
    this.#options = options;
  }

  /** Address of the comment; empty until it exists. */
  get commentUrl(): string {
    return this.#comment?.url ?? "";
  }

  get commentId(): number | undefined {
    return this.#comment?.id;
  }

  /** Goes on with a comment that was there before. */
  adopt(comment: { id: number; url: string }): void {
    this.#comment = comment;
  }

  /** A comment may be there whose id nobody wrote down: it is looked for before one is created. */
  loseTrack(): void {
    this.#lostTrack = true;
  }

  /** Looks for the comment of a step of a workflow run, any attempt of it; null if it cannot be found. */
  async find({ run, step }: Pick<RunIdentity, "run" | "step">): Promise<Remembered<M> | null> {
    const { connect, place, markers } = this.#options;
    try {
      for await (const found of rememberedComments(await connect(), place, markers)) {
        if (found.memory.run === run && found.memory.step === step) return found;
      }
    } catch (error) {
      this.#warn("The comments could not be read", error);
    }
    return null;
  }

  /** Creates the comment, or brings it up to date. Never throws; `identity` finds a comment lost track of. */
  show(body: string, identity: RunIdentity): Promise<void> {
    this.#queue = this.#queue.then(() => this.#write(body, identity));
    return this.#queue;
  }

  async #write(body: string, identity: RunIdentity): Promise<void> {
    if (this.#refused || body === this.#shown) return;
    if (this.#comment === undefined && this.#lostTrack) {
      const found = await this.find(identity);
      if (found !== null) this.#comment = found.comment;
    }
    const { connect, place } = this.#options;
    try {
      const github = await connect();
      const id = this.#comment?.id;
      this.#comment =
        id === undefined
          ? await createComment(github, place, body)
          : await this.#again(() => editComment(github, place, id, body));
      this.#shown = body;
    } catch (error) {
      const { isPassing } = this.#warn("The comment could not be written", error);
      this.#refused = !isPassing;
      this.#lostTrack = this.#comment === undefined;
    }
  }

  /** An edit may be repeated; a comment that is being created might then stand there twice. */
  async #again<T>(edit: () => Promise<T>): Promise<T> {
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

export interface ReactorOptions {
  /** What a refusal leaves as it is. */
  subject: "job" | "answer";
  connect: Connect;
  log: Log;
  repository: string;
  /** What is reacted to; null for nothing. */
  target: Reactable | null;
  permission: string;
}

/** Reactions on what triggered the run. The first refusal is told, and ends them. */
export class Reactor {
  readonly #options: ReactorOptions;
  #queue: Promise<void> = Promise.resolve();
  #refused = false;

  constructor(options: ReactorOptions) {
    this.#options = options;
  }

  /** Puts a reaction, after those before it. Never throws. */
  react(content: Reaction): Promise<void> {
    this.#queue = this.#queue.then(() => this.#put(content));
    return this.#queue;
  }

  async #put(content: Reaction): Promise<void> {
    const { subject, connect, log, repository, target, permission } = this.#options;
    if (target === null || this.#refused) return;
    try {
      await react(await connect(), repository, target, content);
    } catch (error) {
      this.#refused = true;
      const { why } = explainRefusal(error, permission);
      log.warning(
        `The ${content} reaction could not be put: ${why}. The ${subject} is not affected.`,
      );
    }
  }
}
