/** What land writes to a docs pull request. GitHub's refusals are warnings. */

import * as z from "zod/mini";
import {
  explainRefusal,
  hasStatus,
  isFinal,
  type Refusal,
  type TokenPermissions,
} from "../github/api/refusal.ts";
import { owned } from "../github/api/rest.ts";
import { IssueComments } from "../github/conversation/comments.ts";
import type { Delivery } from "../runtime/delivery.ts";
import { inlineCode } from "../text/markdown.ts";
import type { ActOf, LandValue, PullPlace } from "./acts.ts";
import { LAND_MARK, type LandRun } from "./land-run.ts";
import { UNSEEN_ONE } from "./visibility.ts";

const PULL = "/repos/{owner}/{repo}/pulls/{number}";
const ISSUE = "/repos/{owner}/{repo}/issues/{number}";
const PERMISSIONS: TokenPermissions = ["pull-requests: write", "issues: write"];

const UNSAID = `Not everything could be done to a docs pull request ${UNSEEN_ONE}. Its comment says what it needs.`;

const assigned = z.object({ assignees: z.array(z.object({ login: z.string() })) });

export class PullWrites {
  readonly #run: Pick<LandRun, "connect" | "dependencies">;

  constructor(run: Pick<LandRun, "connect" | "dependencies">) {
    this.#run = run;
  }

  async setUp({ place, labels, assignees, reviewers }: ActOf<"set-up">): Promise<LandValue> {
    const attempts: Delivery<null>[] = [];
    if (labels.length > 0) {
      const label = () => this.request(place, `POST ${ISSUE}/labels`, { labels });
      attempts.push(await this.#attempt(place, "labelled", label));
    }
    if (assignees.length > 0) {
      const assign = () => this.#assign(place, assignees);
      attempts.push(await this.#attempt(place, "assigned", assign));
    }
    const asked: string[] = [];
    // GitHub refuses a request as a whole if it refuses one of its reviewers.
    for (const name of reviewers) {
      const attempt = await this.#ask(place, name);
      attempts.push(attempt);
      if (attempt.type === "accepted") asked.push(name);
    }
    // If GitHub did not answer one of them, the next run repeats the others, but asks no reviewer again.
    const isComplete = attempts.every(({ type }) => type === "accepted" || type === "refused");
    return { type: "set-up", asked, isComplete };
  }

  /** GitHub does not refuse those who cannot be assigned: it leaves them out. */
  async #assign(place: PullPlace, assignees: readonly string[]): Promise<void> {
    const data = await this.request(place, `POST ${ISSUE}/assignees`, { assignees });
    const answer = assigned.safeParse(data).data;
    if (answer === undefined) return;
    const known = new Set(answer.assignees.map(({ login }) => login.toLowerCase()));
    const unassigned = assignees.filter((login) => !known.has(login.toLowerCase()));
    if (unassigned.length === 0) return;
    const names = unassigned.map((login) => inlineCode(login, 60)).join(", ");
    this.warn(
      place,
      `GitHub assigned everyone but ${names}. Check in \`assignees\` that they can be assigned here.`,
    );
  }

  #ask(place: PullPlace, name: string): Promise<Delivery<null>> {
    const isTeam = name.startsWith("team:");
    const fields = isTeam ? { team_reviewers: [name.slice(5)] } : { reviewers: [name] };
    const ask = () => this.request(place, `POST ${PULL}/requested_reviewers`, fields);
    return this.#attempt(place, `sent to ${name} for review`, ask);
  }

  /** Writes a comment, or brings it up to date. @param about distinguishes land's comments */
  comment(place: PullPlace, about: string, text: string): Promise<Delivery<null>> {
    const { repository, number: issue } = place;
    const comments = new IssueComments(this.#run.connect, { repository, issue });
    return this.#attempt(place, "commented on", () => comments.keep(`${LAND_MARK}${about}`, text));
  }

  async close(place: PullPlace): Promise<Delivery<null>> {
    try {
      await this.request(place, `PATCH ${PULL}`, { state: "closed" });
      return { type: "accepted", value: null };
    } catch (error) {
      const delivery = deliveryOf(explainRefusal(error, PERMISSIONS));
      if (delivery.type !== "refused") {
        const { reason } = explainRefusal(error, PERMISSIONS);
        this.info(place, `It could not be closed: ${reason}. The next run tries again.`);
      }
      return delivery;
    }
  }

  /** @param verb what could not be done to it, for a warning */
  async #attempt(
    place: PullPlace,
    verb: string,
    request: () => Promise<unknown>,
  ): Promise<Delivery<null>> {
    try {
      await request();
      return { type: "accepted", value: null };
    } catch (error) {
      const refusal = explainRefusal(error, PERMISSIONS);
      const words = isOfLock(refusal) ? "its conversation is locked" : refusal.reason;
      this.warn(place, `It could not be ${verb}: ${words}.`);
      return deliveryOf(refusal);
    }
  }

  /** @throws the client's errors */
  async request(place: PullPlace, route: string, fields: object): Promise<unknown> {
    const github = await this.#run.connect();
    const { data } = await github.request(route, {
      ...owned(place),
      number: place.number,
      ...fields,
    });
    return data;
  }

  /** A text may name files, accounts and rules, so it is left out where its repository may not be named. */
  warn({ url, isNamed }: PullPlace, text: string): void {
    const { log } = this.#run.dependencies;
    log.warning(isNamed ? `${url}: ${text}` : UNSAID);
  }

  info({ url, isNamed }: PullPlace, text: string): void {
    if (isNamed) this.#run.dependencies.log.info(`${url}: ${text}`);
  }
}

/** Whether a conversation takes no comments because it is locked. */
function isOfLock(refusal: Refusal): boolean {
  return hasStatus(refusal, 403) && /locked/i.test(refusal.message);
}

function deliveryOf(refusal: Refusal): Delivery<null> {
  const { type, reason } = refusal;
  if (type === "limited") return { type: "limited" };
  if (!isFinal(refusal)) return { type: "uncertain", reason, error: null };
  const error = { kind: "github-refused", problem: reason, advice: null } as const;
  if (isOfLock(refusal)) return { type: "refused", by: "state", error };
  return { type: "refused", by: hasStatus(refusal, 422) ? "content" : "right", error };
}
