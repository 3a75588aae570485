/** Acts on a docs pull request. GitHub's refusals are warnings, and do not stop the other pull requests. */

import { explainRefusal, type TokenPermissions } from "../github/api/refusal.ts";
import { owned } from "../github/api/rest.ts";
import { LAND_MARK } from "../github/changes/docs-pull.ts";
import { IssueComments } from "../github/conversation/comments.ts";
import { deliver, SERVICE_LIMIT } from "../job/send.ts";
import { MINUTE } from "../runtime/clock.ts";
import type { ActionError } from "../runtime/errors.ts";
import { isStatus, ServiceError } from "../service/errors.ts";
import { inlineCode } from "../text/markdown.ts";
import { clause, sentence } from "../text/sentence.ts";
import { shortHash } from "../text/short-hash.ts";
import type {
  ActResult,
  Close,
  DoneAct,
  KeepComment,
  LandAct,
  LandResult,
  Merge,
  PullPlace,
  SendFollowUp,
  SetUp,
  StartPreview,
} from "./acts.ts";
import { commentText } from "./comment.ts";
import { entryAfterAll, stepAfter } from "./results.ts";
import type { LandRun } from "./run.ts";

const PULL = "/repos/{owner}/{repo}/pulls/{number}";
const ISSUE = "/repos/{owner}/{repo}/issues/{number}";
const PERMISSIONS: TokenPermissions = ["pull-requests: write", "issues: write"];
const MERGE_PERMISSIONS: TokenPermissions = ["contents: write", "pull-requests: write"];
/** How long after reading a run may act on what it has read, in milliseconds. */
const MOST_AGE = 5 * MINUTE;
const IF_UNCERTAIN = "Look at the pull request for what the agent does.";

/** The result of a request to GitHub. `passing`: it may succeed later. */
type Attempt = "done" | "passing" | "refused";

/** Performs the acts of a run's plan. */
export class Performer {
  readonly #run: LandRun;
  #hasWarnedOfAge = false;

  constructor(run: LandRun) {
    this.#run = run;
  }

  /** @param done what the run has done before */
  async perform(act: LandAct, done: readonly DoneAct[]): Promise<ActResult> {
    if (isReadTooLongAgo(act, this.#run.store.now)) {
      this.#warnOfAge();
      return { type: "withdrawn" };
    }
    switch (act.type) {
      case "set-up":
        return await this.#setUp(act);
      case "preview":
        return await this.#startPreview(act);
      case "follow-up":
        return await this.#followUp(act);
      case "merge":
        return await this.#merge(act);
      case "close":
        return await this.#close(act);
      case "remind": {
        const attempt = await this.#comment(act.place, "reminder", act.text);
        return { type: attempt === "done" ? "reminded" : "not-done" };
      }
      case "comment":
        return await this.#keepComment(act, done);
      case "release":
        return { type: "unchanged" };
    }
  }

  async #setUp({ place, labels, assignees, reviewers }: SetUp): Promise<LandResult> {
    const attempts: Attempt[] = [];
    if (labels.length > 0) {
      attempts.push(await this.#try(place, "labelled", `POST ${ISSUE}/labels`, { labels }));
    }
    if (assignees.length > 0) {
      attempts.push(await this.#try(place, "assigned", `POST ${ISSUE}/assignees`, { assignees }));
    }
    const asked: string[] = [];
    // GitHub refuses a request as a whole if it refuses one of its reviewers.
    for (const name of reviewers) {
      const attempt = await this.#ask(place, name);
      attempts.push(attempt);
      if (attempt === "done") asked.push(name);
    }
    // If GitHub did not answer one of them, the next run repeats the others, but asks no reviewer again.
    return { type: "set-up", asked, isComplete: !attempts.includes("passing") };
  }

  #ask(place: PullPlace, name: string): Promise<Attempt> {
    const isTeam = name.startsWith("team:");
    const fields = isTeam ? { team_reviewers: [name.slice(5)] } : { reviewers: [name] };
    const route = `POST ${PULL}/requested_reviewers`;
    return this.#try(place, `sent to ${name} for review`, route, fields);
  }

  async #startPreview({ place, branch, head }: StartPreview): Promise<LandResult> {
    try {
      const { statusId, previewUrl: url } = await this.#run.previews.start(branch);
      return { type: "preview", preview: { head, state: "building", statusId, url } };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const reason = sentence(error.message);
      // The plan has no previews, or the branch is gone. It is requested again for new commits.
      const isFinal = isStatus(error.failure, 400, 403, 404, 422);
      const advice = isFinal
        ? "Check that previews are in your plan, or set `preview: false`."
        : "The next run tries again.";
      this.#warn(place, `No preview could be built: ${reason} ${advice}`);
      if (isFinal) return { type: "preview", preview: { head, state: "refused", reason } };
      return { type: isStatus(error.failure, 429) ? "limited" : "not-done" };
    }
  }

  async #followUp({ place, jobId, prompt }: SendFollowUp): Promise<ActResult> {
    const { agent, dependencies } = this.#run;
    const delivery = await deliver(agent, jobId, prompt, IF_UNCERTAIN, dependencies);
    switch (delivery.type) {
      case "accepted":
        return { type: "accepted" };
      case "limited":
        dependencies.log.warning(SERVICE_LIMIT);
        return { type: "limited" };
      case "busy":
        return { type: "busy" };
      case "refused":
        if (delivery.by === "key") return keyRefused(delivery.error);
        if (delivery.by === "content") this.#warn(place, sentence(delivery.error.message));
        return { type: "refused", by: delivery.by };
      case "withdrawn":
        this.#warn(place, sentence(delivery.error.message));
        return { type: "withdrawn" };
      case "uncertain":
        this.#warn(place, sentence(delivery.error.message));
        return { type: "uncertain", reason: delivery.reason };
    }
  }

  async #merge({ place, sha, method: merge_method }: Merge): Promise<LandResult> {
    try {
      await this.#request(place, `PUT ${PULL}/merge`, { sha, merge_method });
      return { type: "merged" };
    } catch (error) {
      const { reason, status, message } = explainRefusal(error, MERGE_PERMISSIONS);
      if (status === 409 || /branch was modified/i.test(message)) return { type: "overtaken" };
      const words = status === 405 ? `GitHub says ${inlineCode(message) || "no reason"}` : reason;
      return { type: "unmergeable", reason: `It could not be merged: ${clause(words)}.` };
    }
  }

  async #close({ place, text }: Close): Promise<LandResult> {
    const commented = await this.#comment(place, "close", text);
    if (commented !== "done") return { type: "not-done" };
    const closed = await this.#try(place, "closed", `PATCH ${PULL}`, { state: "closed" });
    return { type: closed === "done" ? "closed" : "not-done" };
  }

  async #keepComment({ id, place, subject }: KeepComment, done: readonly DoneAct[]) {
    const { entry, facts, step } = subject;
    const before = done.filter(({ act }) => act.id === id);
    const text = commentText(entryAfterAll(entry, before), facts, stepAfter(step, before));
    const digest = shortHash(text);
    if (entry.comment?.digest === digest) return { type: "unchanged" } as const;
    const attempt = await this.#comment(place, "status", text);
    if (attempt !== "done") return { type: "not-done" } as const;
    return { type: "commented", digest } as const;
  }

  #comment({ url, repository, number: issue }: PullPlace, about: string, text: string) {
    const comments = new IssueComments(this.#run.connect, { repository, issue });
    return this.#attempt(url, "commented on", async () => {
      await comments.keep(`${LAND_MARK}${about}`, text);
    });
  }

  #try(place: PullPlace, verb: string, route: string, fields: object): Promise<Attempt> {
    return this.#attempt(place.url, verb, () => this.#request(place, route, fields));
  }

  /** @param verb what could not be done to it, for a warning */
  async #attempt(url: string, verb: string, request: () => Promise<void>): Promise<Attempt> {
    try {
      await request();
      return "done";
    } catch (error) {
      const { reason, isPassing } = explainRefusal(error, PERMISSIONS);
      this.#warn({ url }, `It could not be ${verb}: ${reason}.`);
      const { stop } = this.#run.dependencies.cancellation;
      return isPassing || stop.aborted ? "passing" : "refused";
    }
  }

  async #request(place: PullPlace, route: string, fields: object): Promise<void> {
    const github = await this.#run.connect();
    await github.request(route, { ...owned(place), number: place.number, ...fields });
  }

  #warnOfAge(): void {
    if (this.#hasWarnedOfAge) return;
    this.#hasWarnedOfAge = true;
    const { log } = this.#run.dependencies;
    log.warning("Reading took more than 5 minutes, so nothing more is sent, merged or closed.");
  }

  #warn({ url }: Pick<PullPlace, "url">, text: string): void {
    this.#run.dependencies.log.warning(`${url}: ${text}`);
  }
}

function keyRefused({ kind, problem, advice }: ActionError): LandResult {
  return { type: "refused", by: "key", error: { kind, problem, advice } };
}

/** Whether somebody may have spoken against an act since its reading, if that took long. @param now GitHub's time */
export function isReadTooLongAgo(act: LandAct, now: number): boolean {
  return "readAt" in act && now - act.readAt >= MOST_AGE;
}

/** Whether an act is still begun after what the run has done before. */
export function goesOn({ type, id }: LandAct, done: readonly DoneAct[]): boolean {
  // The comment on a docs pull request still says what has come of it.
  const isKeyRefused = done.some(({ act, result }) => {
    return result.type === "refused" && result.by === "key" && act.id !== id;
  });
  const isLimited = done.some(({ act, result }) => result.type === "limited" && act.type === type);
  return !isKeyRefused && !isLimited;
}
