import type { Log } from "../runtime/log.ts";
import { addReaction, type Reaction } from "./comments.ts";
import type { Connect } from "./connect.ts";
import { explainRefusal } from "./refusal.ts";
import type { ReactionTarget } from "./run-context.ts";

export interface ReactionsOptions {
  /** What a refusal does not affect, as a warning calls it. */
  subject: "job" | "answer";
  connect: Connect;
  log: Log;
  repository: string;
  /** What is reacted to; null for nothing. */
  target: ReactionTarget | null;
  /** What the token needs, as a warning names it. */
  permission: string;
}

/** Reactions on what triggered the run. A refusal is a warning, and ends them unless it is a rate limit. */
export class Reactions {
  readonly #options: ReactionsOptions;
  #queue: Promise<void> = Promise.resolve();
  #refused = false;

  constructor(options: ReactionsOptions) {
    this.#options = options;
  }

  /** Adds a reaction, after those before it. Never throws. */
  add(content: Reaction): Promise<void> {
    this.#queue = this.#queue.then(() => this.#add(content));
    return this.#queue;
  }

  async #add(content: Reaction): Promise<void> {
    const { subject, connect, log, repository, target, permission } = this.#options;
    if (target === null || this.#refused) return;
    try {
      await addReaction(await connect(), repository, target, content);
    } catch (error) {
      const { why, isLimit } = explainRefusal(error, permission);
      this.#refused = !isLimit;
      log.warning(
        `The ${content} reaction could not be added: ${why}. The ${subject} is not affected.`,
      );
    }
  }
}
