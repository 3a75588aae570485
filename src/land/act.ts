/** Acts on a docs pull request. GitHub's refusals are warnings, and do not stop the other pull requests. */

import { IssueComments } from "../github/comments.ts";
import { explainRefusal } from "../github/refusal.ts";
import { owned } from "../github/rest.ts";
import { deliver, SERVICE_LIMIT } from "../job/start.ts";
import { shortHash } from "../ledger/run/ledger-run.ts";
import { isStatus, ServiceError } from "../service/errors.ts";
import { pullRequestAt } from "../text/link.ts";
import { inlineCode } from "../text/markdown.ts";
import { clause, sentence } from "../text/sentence.ts";
import { commentText } from "./comment.ts";
import { closedToFollowUps, needsOf, person, type Step, wait } from "./decide.ts";
import { type Entry, withFollowUp } from "./ledger.ts";
import { followUpPrompt } from "./problems.ts";
import { type LandRun, needsPreview, type ReadStanding, warn } from "./run.ts";

const PERMISSIONS = "pull-requests: write` and `issues: write";
const AGAIN = wait("The next run tries again.");
const IF_UNCERTAIN = "Look at the pull request for what the agent does.";
const MAYBE_SENT = wait("The agent may have been told; the next run looks at what comes of it.");

/** Performs the step that was decided about a docs pull request. If that fails, the step changes. */
export class PullActs {
  readonly #standing: ReadStanding;
  readonly #run: LandRun;
  readonly #place: { repository: string; issue: number };
  /** Whether a request failed in a way that may pass. */
  #isPassing = false;

  constructor(standing: ReadStanding, run: LandRun) {
    const at = pullRequestAt(standing.entry.url, run.serverUrl);
    this.#place = { repository: at?.repository ?? "", issue: at?.number ?? 0 };
    this.#standing = standing;
    this.#run = run;
  }

  /** @param remember saves all results for the post step */
  async perform(remember: () => void): Promise<void> {
    const { entry, step } = this.#standing;
    if (!entry.isSetUp) await this.#setUp();
    if (needsPreview(this.#standing, this.#run) && this.#run.limits.previews > 0) {
      await this.#startPreview();
    }
    if (step.type === "follow-up") await this.#followUp(step, remember);
    if (step.type === "close") await this.#close(step);
    if (step.type === "merge") await this.#merge();
    const needs = needsOf(this.#standing.step);
    if (needs !== "" && needs !== entry.needs) this.#warn(needs);
    this.#done({ needs });
    if (step.isReminder) await this.#remind();
    await this.show();
  }

  /** Sets labels, assignees and reviewers, once. */
  async #setUp(): Promise<void> {
    const { labels, assignees } = this.#run.inputs;
    const issue = "POST /repos/{owner}/{repo}/issues/{number}";
    if (labels.length > 0) await this.#try("labelled", `${issue}/labels`, { labels });
    if (assignees.length > 0) await this.#try("assigned", `${issue}/assignees`, { assignees });
    const reviewers = this.#reviewers();
    let asked = reviewers;
    if (reviewers.length > 0 && !(await this.#ask(reviewers, false))) {
      // GitHub may accept some of them.
      asked = [];
      for (const one of reviewers) if (await this.#ask([one])) asked.push(one);
    }
    // The next run repeats only what GitHub did not answer.
    this.#done({ isSetUp: !this.#isPassing, asked });
  }

  /** The reviewers, without the pull request's author. */
  #reviewers(): string[] {
    const { changes } = this.#standing.entry;
    const authors = changes.map(({ author }) => author);
    const people = authors.filter((login) => login !== "" && !login.endsWith("[bot]"));
    const nameOf = (login: string) => login.toLowerCase().replace(/\[bot\]$/, "");
    const own = nameOf(this.#standing.facts.pull.author);
    const all = this.#run.inputs.reviewers.flatMap((name) =>
      name === "authors" ? people : [name],
    );
    return [...new Set(all)].filter((login) => nameOf(login) !== own);
  }

  async #ask(logins: readonly string[], isLogged = true): Promise<boolean> {
    const route = "POST /repos/{owner}/{repo}/pulls/{number}/requested_reviewers";
    const { teams = [], reviewers = [] } = Object.groupBy(logins, (login) =>
      login.startsWith("team:") ? "teams" : "reviewers",
    );
    const fields = { reviewers, team_reviewers: teams.map((team) => team.slice(5)) };
    return await this.#try(`sent to ${logins.join(", ")} for review`, route, fields, isLogged);
  }

  async #startPreview(): Promise<void> {
    const { branch, head } = this.#standing.facts.pull;
    this.#run.limits.previews -= 1;
    const asked = { head, statusId: "", url: "", log: "" };
    try {
      const { statusId, previewUrl: url } = await this.#run.previews.start(branch);
      this.#done({ preview: { ...asked, statusId, url, state: "building" } });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const log = sentence(error.message);
      // The plan has no previews, or the branch is gone. It is requested again for new commits.
      const isFinal = isStatus(error.failure, 400, 403, 404, 422);
      const advice = isFinal
        ? "Check that previews are in your plan, or set `preview: false`."
        : "The next run tries again.";
      if (isFinal) this.#done({ preview: { ...asked, state: "refused", log } });
      if (isStatus(error.failure, 429)) this.#run.limits.previews = 0;
      this.#warn(`No preview could be built: ${log} ${advice}`);
    }
  }

  async #followUp(step: Step, remember: () => void): Promise<void> {
    const { agent, dependencies, limits } = this.#run;
    const { entry, result } = this.#standing;
    this.#standing.step = AGAIN;
    if (limits.isLimited) return;
    const before = result.entry;
    const setFollowUp = (isUncertain: boolean) => {
      result.entry = { ...before, ...withFollowUp(entry, isUncertain) };
    };
    // If the run is killed now, it is unknown whether the service has received the follow-up.
    setFollowUp(true);
    remember();
    const prompt = followUpPrompt(this.#standing.facts.pull, step.problems);
    const delivered = await deliver(agent, entry.jobId, prompt, IF_UNCERTAIN, dependencies);
    const { sent, refusal, reason, isKeyRefused, error } = delivered;
    if (sent.type === "accepted") {
      setFollowUp(false);
      this.#standing.step = step;
    } else if (sent.type === "uncertain") this.#standing.step = MAYBE_SENT;
    else result.entry = before;
    if (refusal !== null) {
      this.#done({ isClosedToFollowUps: true });
      this.#standing.step = closedToFollowUps(step.why);
    }
    limits.isLimited = reason === "limited";
    if (limits.isLimited) dependencies.log.warning(SERVICE_LIMIT);
    if (isKeyRefused) limits.error = error;
    else if (error !== null) this.#warn(sentence(error.message));
  }

  /** Merges the head that was judged. */
  async #merge(): Promise<void> {
    const { mergeMethod: merge_method } = this.#run.inputs;
    const { head: sha } = this.#standing.facts.pull;
    try {
      const route = "PUT /repos/{owner}/{repo}/pulls/{number}/merge";
      await this.#request(route, { sha, merge_method });
      this.#standing.result.ended = "merged";
    } catch (error) {
      const { status, message = "" } = error as { status?: number; message?: string };
      const { why } = explainRefusal(error, "contents: write` and `pull-requests: write");
      const words = status === 405 ? `GitHub says ${inlineCode(message) || "no reason"}` : why;
      // Someone has pushed to the branch or its base meanwhile. The next run decides again.
      const isMoved = status === 409 || /branch was modified/i.test(message);
      this.#standing.step = isMoved ? AGAIN : person(`It could not be merged: ${clause(words)}.`);
    }
  }

  /** Closes it, with a comment that says why and how to continue. */
  async #close({ why }: Step): Promise<void> {
    const text = `${why} So it was closed. To go on, reopen it and merge it, or ask for the change again.`;
    const route = "PATCH /repos/{owner}/{repo}/pulls/{number}";
    const isClosed =
      (await this.#comment("close", `### Docs agent\n\n${text}`)) &&
      (await this.#try("closed", route, { state: "closed" }));
    if (isClosed) this.#standing.result.ended = "closed";
    else this.#standing.step = AGAIN;
  }

  async #remind(): Promise<void> {
    const { owner } = owned(this.#place);
    const names = this.#standing.entry.asked.map(
      (name) => `@${name.startsWith("team:") ? `${owner}/${name.slice(5)}` : name}`,
    );
    const whom = names.length === 0 ? "" : `${names.join(", ")}: `;
    const text = `### Docs agent\n\n${whom}this docs pull request waits for a review.`;
    if (await this.#comment("reminder", text)) this.#done({ isReminded: true });
  }

  /** Updates the comment if its content has changed. */
  async show(): Promise<void> {
    const { entry, facts, result, step } = this.#standing;
    const { inputs } = this.#run;
    const text = commentText({ ...entry, ...result.entry }, facts, step, inputs);
    const digest = shortHash(text);
    if (!inputs.comment || entry.comment?.digest === digest) return;
    if (await this.#comment("status", text)) this.#done({ comment: { digest } });
  }

  #comment(about: string, text: string): Promise<boolean> {
    const comments = new IssueComments(this.#run.connect, this.#place);
    return this.#attempt("commented on", async () => {
      await comments.keep(`docs-agent-land:${about}`, text);
    });
  }

  #try(done: string, route: string, fields: object, isLogged = true): Promise<boolean> {
    return this.#attempt(done, () => this.#request(route, fields), isLogged);
  }

  /** @param isLogged whether a refusal is a warning */
  async #attempt(done: string, work: () => Promise<void>, isLogged = true): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      const { why, isPassing } = explainRefusal(error, PERMISSIONS);
      this.#isPassing ||= isPassing || this.#run.dependencies.cancellation.stop.aborted;
      if (isLogged) this.#warn(`It could not be ${done}: ${why}.`);
      return false;
    }
  }

  async #request(route: string, fields: object): Promise<void> {
    const github = await this.#run.connect();
    const { issue: number } = this.#place;
    await github.request(route, { ...owned(this.#place), number, ...fields });
  }

  #done(fields: Partial<Entry>): void {
    Object.assign(this.#standing.result.entry, fields);
  }

  #warn(text: string): void {
    warn(this.#run, this.#standing.entry, text);
  }
}
