/** Acts on a docs pull request. GitHub's refusals are warnings, and do not stop the other pull requests. */

import { explainRefusal, type TokenPermissions } from "../github/api/refusal.ts";
import { owned } from "../github/api/rest.ts";
import { IssueComments } from "../github/conversation/comments.ts";
import { deliver, SERVICE_LIMIT } from "../job/send.ts";
import { shortHash } from "../ledger/run/ledger-run.ts";
import { isStatus, ServiceError } from "../service/errors.ts";
import { inlineCode } from "../text/markdown.ts";
import { clause, sentence } from "../text/sentence.ts";
import { commentText } from "./comment.ts";
import {
  closedToFollowUps,
  type Facts,
  isAction,
  needsOf,
  person,
  type Step,
  wait,
} from "./decide.ts";
import { afterRun } from "./ledger.ts";
import { followUpPrompt } from "./problems.ts";
import type { LandRun, TrackedPull } from "./run.ts";

const PULL = "/repos/{owner}/{repo}/pulls/{number}";
const ISSUE = "/repos/{owner}/{repo}/issues/{number}";
const PERMISSIONS: TokenPermissions = ["pull-requests: write", "issues: write"];
const MERGE_PERMISSIONS: TokenPermissions = ["contents: write", "pull-requests: write"];
const AGAIN = wait("The next run tries again.");
const IF_UNCERTAIN = "Look at the pull request for what the agent does.";
const MAYBE_SENT = wait("The agent may have been told; the next run looks at what comes of it.");

/** Performs the step that was decided about a docs pull request. If that fails, the step changes. */
export class PullActs {
  readonly tracked: TrackedPull;
  readonly #facts: Facts;
  readonly #run: LandRun;
  /** Whether a request failed in a way that may pass. */
  #isPassing = false;

  constructor(tracked: TrackedPull, facts: Facts, run: LandRun) {
    this.tracked = tracked;
    this.#facts = facts;
    this.#run = run;
  }

  /** Whether there is anything to do, and no other run is at work on it. */
  get isDue(): boolean {
    const { entry, step } = this.tracked;
    if (entry.intent !== null) return false;
    if (step.type === "ended") return entry.comment !== null;
    if (isAction(step) || step.isReminder || !entry.isSetUp) return true;
    return this.#needsPreview || this.#newComment() !== null;
  }

  /** @param isFresh whether the run may still act @param remember saves all results for the post step */
  async perform(isFresh: () => boolean, remember: () => void): Promise<void> {
    const { entry, step, result } = this.tracked;
    if (step.type !== "ended") {
      if (!entry.isSetUp) await this.#setUp();
      if (this.#needsPreview && !this.#run.limits.isPreviewLimited) await this.#startPreview();
      // The requests before may have taken their time.
      const taken = isAction(step) && !isFresh() ? AGAIN : await this.#take(step, remember);
      this.tracked.step = taken;
      result.entry.needs = needsOf(taken);
      if (step.isReminder) await this.#remind();
    }
    const comment = this.#newComment();
    if (comment === null || !(await this.#comment("status", comment.text))) return;
    result.entry.comment = { digest: comment.digest };
  }

  /** @returns the step, or what is to say in its place */
  async #take(step: Step, remember: () => void): Promise<Step> {
    if (step.type === "follow-up") return await this.#followUp(step, remember);
    if (step.type === "close") return await this.#close(step);
    return step.type === "merge" ? await this.#merge(step) : step;
  }

  /** Sets labels, assignees and reviewers, once. */
  async #setUp(): Promise<void> {
    const { labels, assignees } = this.#run.inputs;
    if (labels.length > 0) await this.#try("labelled", `POST ${ISSUE}/labels`, { labels });
    if (assignees.length > 0) await this.#try("assigned", `POST ${ISSUE}/assignees`, { assignees });
    const asked: string[] = [];
    // GitHub refuses a request as a whole if it refuses one of its reviewers.
    for (const one of this.#reviewers()) if (await this.#ask(one)) asked.push(one);
    // The next run repeats only what GitHub did not answer.
    Object.assign(this.tracked.result.entry, { isSetUp: !this.#isPassing, asked });
  }

  #reviewers(): string[] {
    const authors = this.tracked.entry.changes.map(({ author }) => author);
    const people = authors.filter((login) => login !== "" && !login.endsWith("[bot]"));
    const { reviewers } = this.#run.inputs;
    return [...new Set(reviewers.flatMap((name) => (name === "authors" ? people : name)))];
  }

  #ask(name: string): Promise<boolean> {
    const isTeam = name.startsWith("team:");
    const fields = isTeam ? { team_reviewers: [name.slice(5)] } : { reviewers: [name] };
    return this.#try(`sent to ${name} for review`, `POST ${PULL}/requested_reviewers`, fields);
  }

  /** Whether the agent has finished new commits that no preview shows. */
  get #needsPreview(): boolean {
    const { job, pull } = this.#facts;
    const isNew = this.tracked.entry.preview?.head !== pull.head;
    return this.#run.inputs.preview && job.state === "ended" && isNew;
  }

  async #startPreview(): Promise<void> {
    const { limits, previews } = this.#run;
    const { branch, head } = this.#facts.pull;
    const { result } = this.tracked;
    const asked = { head, statusId: "", url: "", log: "" };
    try {
      const { statusId, previewUrl: url } = await previews.start(branch);
      result.entry.preview = { ...asked, statusId, url, state: "building" };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const log = sentence(error.message);
      // The plan has no previews, or the branch is gone. It is requested again for new commits.
      const isFinal = isStatus(error.failure, 400, 403, 404, 422);
      const advice = isFinal
        ? "Check that previews are in your plan, or set `preview: false`."
        : "The next run tries again.";
      if (isFinal) result.entry.preview = { ...asked, state: "refused", log };
      limits.isPreviewLimited = isStatus(error.failure, 429);
      this.#warn(`No preview could be built: ${log} ${advice}`);
    }
  }

  async #followUp(step: Step, remember: () => void): Promise<Step> {
    const { agent, dependencies, limits } = this.#run;
    const { entry, result } = this.tracked;
    if (limits.isLimited) return AGAIN;
    // If the run is killed now, it is unknown whether the service has received the follow-up.
    result.sent = "uncertain";
    remember();
    const prompt = followUpPrompt(this.#facts.pull, step.problems ?? []);
    const delivered = await deliver(agent, entry.jobId, prompt, IF_UNCERTAIN, dependencies);
    const { sent, refusal, reason, isKeyRefused, error } = delivered;
    result.sent = sent.type;
    limits.isLimited = reason === "limited";
    if (limits.isLimited) dependencies.log.warning(SERVICE_LIMIT);
    if (isKeyRefused) limits.error = error;
    else if (error !== null) this.#warn(sentence(error.message));
    if (sent.type !== "withdrawn") return sent.type === "accepted" ? step : MAYBE_SENT;
    if (refusal === null) return AGAIN;
    result.entry.isClosedToFollowUps = true;
    return closedToFollowUps(step.why);
  }

  /** Merges the head that was judged. */
  async #merge(step: Step): Promise<Step> {
    const { mergeMethod: merge_method } = this.#run.inputs;
    try {
      await this.#request(`PUT ${PULL}/merge`, { sha: this.#facts.pull.head, merge_method });
      this.tracked.result.ended = "merged";
      return step;
    } catch (error) {
      const { status, message = "" } = error as { status?: number; message?: string };
      const { reason } = explainRefusal(error, MERGE_PERMISSIONS);
      const words = status === 405 ? `GitHub says ${inlineCode(message) || "no reason"}` : reason;
      // Someone has pushed to the branch or its base meanwhile. The next run decides again.
      const isMoved = status === 409 || /branch was modified/i.test(message);
      return isMoved ? AGAIN : person(`It could not be merged: ${clause(words)}.`);
    }
  }

  /** Closes it, with a comment that says why and how to continue. */
  async #close(step: Step): Promise<Step> {
    const text = `${step.why} So it was closed. To go on, reopen it and merge it, or ask for the change again.`;
    const isClosed =
      (await this.#comment("close", `### Docs agent\n\n${text}`)) &&
      (await this.#try("closed", `PATCH ${PULL}`, { state: "closed" }));
    if (!isClosed) return AGAIN;
    this.tracked.result.ended = "closed";
    return step;
  }

  async #remind(): Promise<void> {
    const { owner } = owned(this.#facts.pull);
    const names = this.tracked.entry.asked.map(
      (name) => `@${name.startsWith("team:") ? `${owner}/${name.slice(5)}` : name}`,
    );
    const whom = names.length === 0 ? "" : `${names.join(", ")}: `;
    const text = `### Docs agent\n\n${whom}this docs pull request waits for a review.`;
    if (await this.#comment("reminder", text)) this.tracked.result.entry.isReminded = true;
  }

  /** The comment that is to be written; null if it stays as it is. */
  #newComment(): { text: string; digest: string } | null {
    const { inputs } = this.#run;
    const { entry, step, result } = this.tracked;
    const text = commentText(afterRun(entry, result), this.#facts, step);
    const digest = shortHash(text);
    return inputs.comment && entry.comment?.digest !== digest ? { text, digest } : null;
  }

  #comment(about: string, text: string): Promise<boolean> {
    const { repository, number: issue } = this.#facts.pull;
    const comments = new IssueComments(this.#run.connect, { repository, issue });
    return this.#attempt("commented on", async () => {
      await comments.keep(`docs-agent-land:${about}`, text);
    });
  }

  #try(done: string, route: string, fields: object): Promise<boolean> {
    return this.#attempt(done, () => this.#request(route, fields));
  }

  async #attempt(done: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      const { reason, isPassing } = explainRefusal(error, PERMISSIONS);
      this.#isPassing ||= isPassing || this.#run.dependencies.cancellation.stop.aborted;
      this.#warn(`It could not be ${done}: ${reason}.`);
      return false;
    }
  }

  async #request(route: string, fields: object): Promise<void> {
    const { pull } = this.#facts;
    const github = await this.#run.connect();
    await github.request(route, { ...owned(pull), number: pull.number, ...fields });
  }

  #warn(text: string): void {
    this.#run.dependencies.log.warning(`${this.tracked.entry.url}: ${text}`);
  }
}
