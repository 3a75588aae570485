import type { Log } from "../runtime/log.ts";
import { addReaction, type Reaction } from "./comments.ts";
import type { Connect } from "./connect.ts";
import { explainRefusal } from "./refusal.ts";
import type { ReactionTarget } from "./run-context.ts";

export interface ReactionsOptions {
  /** What a refusal does not affect, for warnings. */
  subject: "job" | "answer";
  connect: Connect;
  log: Log;
  repository: string;
  /** The target of the reactions; null for none. */
  target: ReactionTarget | null;
  /** The permission that the token needs, for warnings. */
  permission: string;
}

/** Adds reactions to what triggered the run. After a refusal that is no rate limit, it adds no more. */
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
