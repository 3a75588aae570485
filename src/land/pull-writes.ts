/** What land writes to a docs pull request. GitHub's refusals are warnings. */

import type { Connect } from "../github/api/connect.ts";
import { type RefusedWrite, reasonOf, type Sent, type Unaccepted } from "../github/api/explain.ts";
import { IssueComments } from "../github/conversation/comments.ts";
import type { Delivery } from "../runtime/delivery.ts";
import type { Log } from "../runtime/log.ts";
import { inlineCode } from "../text/markdown.ts";
import type { ActOf, LandValue, PullPlace } from "./acts.ts";
import { LAND_MARK } from "./land-run.ts";
import { UNSEEN_ONE } from "./visibility.ts";

const UNSAID = `Not everything could be done to a docs pull request ${UNSEEN_ONE}. Its comment says what it needs.`;

export class PullWrites {
  readonly #connect: Connect;
  readonly #log: Log;

  constructor(connect: Connect, log: Log) {
    this.#connect = connect;
    this.#log = log;
  }

  async setUp({
    place,
    labels,
    assignees,
    reviewers,
    areAll,
  }: ActOf<"set-up">): Promise<LandValue> {
    const attempts: Delivery<unknown>[] = [];
    const github = await this.#connect();
    const { repository, number } = place;
    if (labels.length > 0) {
      const sent = await github.issues.label({ repository, number, labels });
      attempts.push(this.#told(place, "labelled", sent));
    }
    if (assignees.length > 0) attempts.push(await this.#assign(place, assignees));
    const asked: string[] = [];
    // GitHub refuses a request as a whole if it refuses one of its reviewers.
    for (const name of reviewers) {
      const attempt = await this.#ask(place, name);
      attempts.push(attempt);
      if (attempt.type === "accepted") asked.push(name);
    }
    // If GitHub did not answer one of them, the next run repeats the others, but asks no reviewer again.
    const isComplete = attempts.every(({ type }) => type === "accepted" || type === "refused");
    return { type: "set-up", asked, isComplete: isComplete && areAll };
  }

  /** GitHub does not refuse those who cannot be assigned: it leaves them out. */
  async #assign(place: PullPlace, assignees: readonly string[]): Promise<Delivery<unknown>> {
    const { repository, number } = place;
    const github = await this.#connect();
    const sent = await github.issues.assign({ repository, number, assignees });
    if (sent.type !== "accepted") return this.#told(place, "assigned", sent);
    const known = new Set(sent.value.assignees.map(({ login }) => login.toLowerCase()));
    const unassigned = assignees.filter((login) => !known.has(login.toLowerCase()));
    if (unassigned.length === 0) return sent;
    const names = unassigned.map((login) => inlineCode(login, 60)).join(", ");
    this.warn(
      place,
      `GitHub assigned everyone but ${names}. Check in \`assignees\` that they can be assigned here.`,
    );
    return sent;
  }

  async #ask(place: PullPlace, name: string): Promise<Delivery<unknown>> {
    const { repository, number } = place;
    const isTeam = name.startsWith("team:");
    const reviewers = isTeam ? null : [name];
    const team_reviewers = isTeam ? [name.slice(5)] : null;
    const github = await this.#connect();
    const asked = { repository, number, reviewers, team_reviewers };
    const sent = await github.pulls.requestReviewers(asked);
    return this.#told(place, `sent to ${name} for review`, sent);
  }

  /** Writes a comment, or brings it up to date. @param about distinguishes land's comments */
  async comment(place: PullPlace, about: string, text: string): Promise<Delivery<unknown>> {
    const { repository, number: issue } = place;
    const comments = new IssueComments(this.#connect, { repository, issue });
    const sent = await comments.keep(`${LAND_MARK}${about}`, text);
    if (sent.type === "accepted") return sent;
    const words = isOfLock(sent) ? "its conversation is locked" : reasonOf(sent);
    this.warn(place, `It could not be commented on: ${words}.`);
    const delivery = plainDelivery(sent);
    // Only a locked conversation takes no further comment.
    const isOther = delivery.type === "refused" && delivery.by === "state" && !isOfLock(sent);
    return isOther ? { ...delivery, by: "right" } : delivery;
  }

  async close({ repository, number, ...place }: PullPlace): Promise<Delivery<unknown>> {
    const github = await this.#connect();
    const sent = await github.pulls.close({ repository, number });
    if (sent.type === "accepted") return sent;
    if (sent.type === "refused") {
      return { type: "refused", by: whatStandsAgainst(sent), error: sent.error };
    }
    const text = `It could not be closed: ${reasonOf(sent)}. The next run tries again.`;
    this.info({ repository, number, ...place }, text);
    return plainDelivery(sent);
  }

  /** Warns of what was not accepted. @param verb what could not be done to it */
  #told(place: PullPlace, verb: string, sent: Sent<unknown>): Delivery<unknown> {
    if (sent.type !== "accepted") this.warn(place, `It could not be ${verb}: ${reasonOf(sent)}.`);
    return sent;
  }

  /** A text may name files, accounts and rules, so it is left out where its repository may not be named. */
  warn({ url, isNamed }: PullPlace, text: string): void {
    this.#log.warning(isNamed ? `${url}: ${text}` : UNSAID);
  }

  info({ url, isNamed }: PullPlace, text: string): void {
    if (isNamed) this.#log.info(`${url}: ${text}`);
  }
}

/** Whether a conversation takes no comments because it is locked. */
function isOfLock(sent: Unaccepted): boolean {
  return sent.type === "refused" && sent.status === 403 && /locked/i.test(sent.message);
}

/** Only another token may merge what changes a workflow. @param message GitHub's */
export function isOfWorkflow(message: string): boolean {
  return /refusing to allow/i.test(message);
}

/** Statuses of REST's answers that are about the pull request, and whose message says what a person has to know. */
const OF_STATE = [405, 422];

/** What stands against a merge or closing. Other refusals than those by its state say nothing about the pull request. */
export function whatStandsAgainst({ status, message, by }: RefusedWrite): RefusedWrite["by"] {
  if (isOfWorkflow(message)) return "right";
  if (status !== null && OF_STATE.includes(status)) return "state";
  return by === "state" && status !== null ? "right" : by;
}

/** Without what only GitHub's answer has. */
export function plainDelivery(sent: Unaccepted): Delivery<never> {
  if (sent.type === "limited") return { type: "limited" };
  return sent.type === "refused" ? { type: "refused", by: sent.by, error: sent.error } : sent;
}
