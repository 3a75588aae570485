import { type Dependencies, drawName } from "../runtime/dependencies.ts";
import type { Log } from "../runtime/log.ts";
import { addReaction, type Reaction } from "./comments.ts";
import type { Connect } from "./connect.ts";
import type { Markers, Place } from "./markers.ts";
import { explainRefusal } from "./refusal.ts";
import { type ReactionTarget, type RunContext, reactionTarget } from "./run-context.ts";
import { commentPermission, commentPlace, type GitHubSettings } from "./settings.ts";
import { StatusComment } from "./status-comment.ts";

/** Where the requester sees the progress. Plain data, so that the post step can use it too. */
export interface FeedbackPlan {
  /** Where the status comment belongs; null for none. */
  place: Place | null;
  reactionTarget: ReactionTarget | null;
  /** What the token needs for both, as a warning names it. */
  permission: string;
  repository: string;
  /** Names the comment before it has an id: no other comment has this name. */
  draft: string;
}

/** @param isRequest whether the run answers a request by phrase, which always gets at least a reaction */
export function planFeedback(
  settings: GitHubSettings,
  context: RunContext,
  isRequest: boolean,
  random: () => number,
): FeedbackPlan {
  return {
    place: settings.comment ? commentPlace(settings, context) : null,
    reactionTarget: settings.comment || isRequest ? reactionTarget(context) : null,
    permission: commentPermission(settings, context),
    repository: context.repository,
    draft: `${context.runId}-${context.attempt}-${drawName({ random })}`,
  };
}

interface ReactionsOptions {
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
class Reactions {
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

export interface Feedback<M extends object> {
  comment: StatusComment<M> | null;
  reactions: Reactions;
}

/** The status comment and the reactions of a plan; nothing is sent yet. */
export function createFeedback<M extends object>(
  { place, reactionTarget: target, permission, repository, draft }: FeedbackPlan,
  subject: "job" | "answer",
  markers: Markers<M>,
  connect: Connect,
  { log, clock, cancellation: { stop } }: Dependencies,
): Feedback<M> {
  const common = { subject, connect, log, permission };
  return {
    comment:
      place === null ? null : new StatusComment({ ...common, clock, stop, markers, place, draft }),
    reactions: new Reactions({ ...common, repository, target }),
  };
}
