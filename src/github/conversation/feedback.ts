import type { Clock } from "../../runtime/clock.ts";
import { type Dependencies, drawName } from "../../runtime/dependencies.ts";
import type { Log } from "../../runtime/log.ts";
import type { Connect } from "../api/connect.ts";
import { reasonOf, type Sent, type Unaccepted } from "../api/explain.ts";
import { mayPass, unsentAfter } from "../api/sent.ts";
import type { Named, Permission } from "../trigger/permission.ts";
import {
  numberOrNull,
  type ReactionTarget,
  type RunContext,
  reactionTarget,
  triggeringSubject,
} from "../trigger/run-context.ts";
import { addReaction, type CommentRef, IssueComments, type Reaction } from "./comments.ts";
import type { Markers, Place } from "./markers.ts";

/** Where the requester sees the progress. Plain data, so that the post step can use it too. */
export interface FeedbackPlan {
  /** Where the status comment belongs; null for none. */
  place: Place | null;
  reactionTarget: ReactionTarget | null;
  /** `owner/name`; null outside of a repository, where there are no comments and reactions. */
  repository: string | null;
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
    place: settings.comment ? commentPlace(settings, context, isRequest) : null,
    reactionTarget: settings.comment || isRequest ? reactionTarget(context) : null,
    repository: context.repository,
    draft: [context.runId, context.attempt, drawName({ random })].join("-"),
  };
}

const GAP = "\n\n";
/** How long the end of a run may wait for a reaction, in milliseconds. */
const REACTION_LIMIT = 5_000;

/** How long after a run's end its comment is tried, and the delays between, in milliseconds. */
const FINAL_LIMIT = 60_000;
const FINAL_DELAY = { initial: 2_000, max: 15_000 };

/** The body of a comment: its text and its marker. */
export function markedText(text: string, marker: string): string {
  return `${text}${GAP}${marker}`;
}

/**
 * The status comment of a run, edited in place, and its reactions. If GitHub refuses one, this logs a warning, and the
 * run continues. Any other error is thrown by `throwMistake`, because nobody waits for most writes.
 */
export class Feedback<M extends object> {
  readonly #options;
  /** One call at a time: an edit never overtakes the comment's creation. */
  #writes: Promise<void> = Promise.resolve();
  #reactions: Promise<void> = Promise.resolve();
  readonly #mistakes: unknown[] = [];
  readonly #warnings = new Set<string>();
  #count = 0;
  #state:
    | { type: "none" }
    /** One may exist whose ID is not known: its creation was not answered, or its ID was not saved. */
    | { type: "may exist" }
    /** `body`: null if it is not known. */
    | { type: "known"; comment: CommentRef; body: string | null }
    /** GitHub refused the last write for good: no more are tried. */
    | { type: "refused"; comment: CommentRef | null } = { type: "none" };

  constructor(options: {
    plan: FeedbackPlan;
    /** What a refusal does not affect: a sentence for warnings. */
    unaffected: string;
    /** What to do if the token expired after the comment was written: sentences for warnings; null for none. */
    ifExpired: string | null;
    markers: Markers<M>;
    connect: Connect;
    log: Log;
  }) {
    this.#options = options;
  }

  /** The comment; null until it exists. */
  get ref(): CommentRef | null {
    return "comment" in this.#state ? this.#state.comment : null;
  }

  /** Maximum length of a marker and the gap before it, in characters; 0 if there is no comment. */
  markerLength(marker: M): number {
    const { place, draft } = this.#options.plan;
    if (place === null) return 0;
    const write = (name: number | string) => this.#options.markers.write(place, marker, name);
    return GAP.length + Math.max(write(Number.MAX_SAFE_INTEGER).length, write(draft).length);
  }

  /** Uses an existing comment, if the run comments. Null: one may exist whose ID was not saved. */
  adopt(comment: CommentRef | null): void {
    if (this.#options.plan.place === null) return;
    this.#state = comment === null ? { type: "may exist" } : knownComment(comment, null);
  }

  /** Updates the comment, unless there is a newer text by then. Never throws. */
  write(text: string, marker: M, onCreated: () => void = () => {}): Promise<void> {
    const { place } = this.#options.plan;
    this.#count += 1;
    const turn = this.#count;
    this.#writes = this.#after(this.#writes, async () => {
      if (place === null || turn !== this.#count || this.#state.type === "refused") return;
      const sent = await this.#write(place, text, marker, onCreated);
      if (sent.type === "accepted") return;
      this.#warn("The comment could not be written", sent);
      if (!mayPass(sent)) this.#state = { type: "refused", comment: this.ref };
      else if (this.ref === null) this.#state = { type: "may exist" };
    });
    return this.#writes;
  }

  /**
   * Writes the run's last text: again for up to a minute after failures that may pass, and as a new comment if there is
   * none, or none any more. Never throws.
   */
  finish(
    text: string,
    marker: M,
    { clock, cancellation }: Pick<Dependencies, "clock" | "cancellation">,
    onCreated: () => void = () => {},
  ): Promise<void> {
    const { place } = this.#options.plan;
    // Whatever is not written yet is older.
    this.#count += 1;
    const deadline = clock.now() + FINAL_LIMIT;
    this.#writes = this.#after(this.#writes, async () => {
      if (place === null) return;
      if (this.#state.type === "refused") {
        const { comment } = this.#state;
        this.#state = comment === null ? { type: "none" } : knownComment(comment, null);
      }
      for (let delay = FINAL_DELAY.initial; ; delay = Math.min(2 * delay, FINAL_DELAY.max)) {
        const sent = await this.#writeOrReplace(place, text, marker, onCreated);
        if (sent.type === "accepted") return;
        if (this.#state.type === "none" && mayPass(sent)) this.#state = { type: "may exist" };
        const isOver = cancellation.stop.aborted || clock.now() + delay > deadline;
        if (!mayPass(sent) || isOver) return this.#warn("The comment could not be written", sent);
        await clock.sleep(delay, cancellation.stop);
      }
    });
    return this.#writes;
  }

  /** A comment that was deleted is written anew. */
  async #writeOrReplace(
    place: Place,
    text: string,
    marker: M,
    onCreated: () => void,
  ): Promise<Sent<CommentRef>> {
    const isKnown = this.#state.type === "known";
    const sent = await this.#write(place, text, marker, onCreated);
    if (!isKnown || !isGone(sent)) return sent;
    this.#state = { type: "none" };
    return await this.#write(place, text, marker, onCreated);
  }

  async #write(
    place: Place,
    text: string,
    marker: M,
    onCreated: () => void,
  ): Promise<Sent<CommentRef>> {
    const { connect, markers, plan } = this.#options;
    const comments = new IssueComments(connect, place);
    if (this.#state.type !== "known") {
      const draft = markedText(text, markers.write(place, marker, plan.draft));
      const begun = await this.#begin(comments, draft);
      if (begun.type !== "accepted") return begun;
      this.#state = knownComment(begun.value, null);
      onCreated();
    }
    const { comment, body: before } = this.#state;
    const body = markedText(text, markers.write(place, marker, comment.id));
    if (body === before) return { type: "accepted", value: comment };
    // GitHub may make an edit that it does not answer.
    this.#state = knownComment(comment, null);
    const edited = await comments.edit(comment.id, body);
    if (edited.type === "accepted") this.#state = knownComment(edited.value, body);
    return edited;
  }

  /** Finds the comment whose ID is not known, or creates it. */
  async #begin(comments: IssueComments, draft: string): Promise<Sent<CommentRef>> {
    const { markers, plan } = this.#options;
    if (this.#state.type === "may exist") {
      const lost = await comments.draft(markers, ({ name }) => name === plan.draft);
      if (lost.type === "unread") return unsentAfter(lost);
      if (lost.type === "known") return { type: "accepted", value: lost.value.comment };
    }
    return await comments.create(draft);
  }

  /** Adds a reaction to what triggered the run, after those before it. Never throws. */
  react(content: Reaction): Promise<void> {
    const { connect, plan } = this.#options;
    const { repository, reactionTarget: target } = plan;
    this.#reactions = this.#after(this.#reactions, async () => {
      if (target === null || repository === null) return;
      const sent = await addReaction(connect, repository, target, content);
      if (sent.type !== "accepted") this.#warn(`The ${content} reaction could not be added`, sent);
    });
    return this.#reactions;
  }

  /** Resolves when GitHub has answered the reactions until now, or after 5 seconds. */
  async reacted(clock: Clock): Promise<void> {
    const answered = new AbortController();
    const reactions = this.#reactions.then(() => answered.abort());
    await Promise.race([reactions, clock.sleep(REACTION_LIMIT, answered.signal)]);
  }

  /** Throws the first error of a write or reaction until now that was not GitHub's, but a mistake of the action. */
  throwMistake(): void {
    if (this.#mistakes.length > 0) throw this.#mistakes[0];
  }

  #after(earlier: Promise<void>, act: () => Promise<void>): Promise<void> {
    return earlier.then(act).catch((error: unknown) => {
      this.#mistakes.push(error);
    });
  }

  #warn(problem: string, sent: Unaccepted): void {
    const { log, unaffected, ifExpired } = this.#options;
    const warning = `${problem}: ${reasonOf(sent)}. ${unaffected}`;
    const isExpired = sent.type === "refused" && sent.status === 401;
    const isLeft = isExpired && this.ref !== null && ifExpired !== null;
    const shown = isLeft ? `${warning} ${ifExpired}` : warning;
    if (!this.#warnings.has(shown)) log.warning(shown);
    this.#warnings.add(shown);
  }
}

function isGone(sent: Sent<unknown>): boolean {
  return sent.type === "refused" && (sent.status === 404 || sent.status === 410);
}

function knownComment({ id, url }: CommentRef, body: string | null) {
  return { type: "known", comment: { id, url }, body } as const;
}

/** What the inputs say about GitHub, for every action that may run by phrase and may comment. */
export interface GitHubSettings extends Named {
  requiredPermission: Permission;
  comment: boolean;
  issueNumber: number | null;
  /** The matrix leg that this job is, as JSON. */
  matrix: string;
  githubToken: string;
  githubApiUrl: URL;
}

/**
 * The issue or pull request for a run's comment, which is that of its conversation; null for none.
 *
 * @param isRequest whether the run answers a request by phrase: it is answered where it was asked
 */
export function commentPlace(
  settings: GitHubSettings,
  context: RunContext,
  isRequest: boolean,
): Place | null {
  const issueNumber = isRequest ? null : settings.issueNumber;
  const issue = issueNumber ?? numberOrNull(triggeringSubject(context)?.number);
  const { repository, repositoryId } = context;
  return issue !== null && repository !== null ? { repository, repositoryId, issue } : null;
}
