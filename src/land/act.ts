/** What land does to a docs pull request. GitHub's refusals are warnings, and the other pull requests go on. */

import { commentOnce, createComment, editComment, newestComments } from "../github/comments.ts";
import { explainRefusal } from "../github/refusal.ts";
import { owned } from "../github/rest.ts";
import { markedText } from "../github/status-comment.ts";
import { isStatus, ServiceError } from "../service/errors.ts";
import { pullRequestAt } from "../text/link.ts";
import { inlineCode } from "../text/markdown.ts";
import { clause, sentence } from "../text/sentence.ts";
import { commentText, digestOf, type Shown } from "./comment.ts";
import type { LandRun } from "./land-run.ts";
import type { Entry, Preview } from "./ledger.ts";
import { SERVICE_LIMIT } from "./read.ts";
import type { Result } from "./record.ts";

const PERMISSIONS = "pull-requests: write` and `issues: write";

/** One docs pull request, and what a run does about it. */
export class PullActs {
  readonly #result: Result;
  readonly #entry: Entry;
  readonly #place: { repository: string; issue: number };
  readonly #run: LandRun;
  /** A request failed in a way that may pass. */
  #isPassing = false;

  /** @param result takes up what is done */
  constructor(entry: Entry, result: Result, run: LandRun) {
    const at = pullRequestAt(entry.url, run.serverUrl);
    this.#place = { repository: at?.repository ?? "", issue: at?.number ?? 0 };
    this.#entry = entry;
    this.#run = run;
    this.#result = result;
  }

  /** Sets labels, assignees and reviewers, once. */
  async setUp(author: string): Promise<void> {
    const { labels, assignees } = this.#run.inputs;
    const issue = "POST /repos/{owner}/{repo}/issues/{number}";
    if (labels.length > 0) await this.#try("labelled", `${issue}/labels`, { labels });
    if (assignees.length > 0) await this.#try("assigned", `${issue}/assignees`, { assignees });
    const asked = await this.#ask(reviewersOf(this.#run.inputs.reviewers, this.#entry, author));
    // What GitHub refused once is refused; what it did not answer, the next run does.
    Object.assign(this.#result.entry, { isSetUp: !this.#isPassing, asked });
  }

  /** Asks for reviews: one by one, where GitHub refuses them together. @returns those that it took */
  async #ask(reviewers: readonly string[]): Promise<string[]> {
    if (reviewers.length === 0) return [];
    const route = "POST /repos/{owner}/{repo}/pulls/{number}/requested_reviewers";
    const request = async (some: readonly string[], isLast: boolean) => {
      const teams = some.filter((it) => it.startsWith("team:"));
      const people = some.filter((it) => !teams.includes(it));
      const fields = { reviewers: people, team_reviewers: teams.map((it) => it.slice(5)) };
      return await this.#try(`sent to ${some.join(", ")} for review`, route, fields, isLast);
    };
    if (await request(reviewers, reviewers.length === 1)) return [...reviewers];
    const taken: string[] = [];
    if (reviewers.length === 1) return taken;
    for (const one of reviewers) if (await request([one], true)) taken.push(one);
    return taken;
  }

  /** Has a preview built of the branch. @returns whether the service may take another request */
  async startPreview(branch: string, head: string): Promise<boolean> {
    const { previews, dependencies } = this.#run;
    const limits = { limit: SERVICE_LIMIT, signal: dependencies.cancellation.stop };
    try {
      const { statusId, previewUrl: url } = await previews.start(branch, limits);
      this.#result.entry.preview = { head, statusId, url, state: "building", log: "" };
      return true;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const why = sentence(error.message);
      // No previews in the plan, or no such branch: asked for again when there are new commits.
      const isFinal = isStatus(error.failure, 400, 403, 404, 422);
      const refused: Preview = { head, statusId: "", url: "", state: "refused", log: why };
      if (isFinal) this.#result.entry.preview = refused;
      const advice = isFinal
        ? "Check that previews are in your plan, or set `preview: false`."
        : "The next run tries again.";
      this.#warn(`No preview could be built: ${why} ${advice}`);
      return !isStatus(error.failure, 429);
    }
  }

  /** Merges the head that was judged. @returns why GitHub refuses to; empty: it is merged */
  async merge(sha: string): Promise<string> {
    const { mergeMethod: merge_method } = this.#run.inputs;
    try {
      const route = "PUT /repos/{owner}/{repo}/pulls/{number}/merge";
      await this.#request(route, { sha, merge_method });
      this.#result.ended = "merged";
      return "";
    } catch (error) {
      const { status, message = "" } = error as { status?: number; message?: string };
      // Somebody has pushed to it, or to its base, meanwhile: the next run judges anew.
      if (status === 409 || /branch was modified/i.test(message)) return "";
      const { why } = explainRefusal(error, "contents: write` and `pull-requests: write");
      const words = status === 405 ? `GitHub says ${inlineCode(message) || "no reason"}` : why;
      return `It could not be merged: ${clause(words)}.`;
    }
  }

  /** Closes it, with a comment that says why and how to go on. */
  async close(why: string): Promise<void> {
    const text = `### Docs agent\n\n${why} So it was closed. To go on, reopen it and merge it, or ask for the change again.`;
    if (!(await this.#commentOnce("close", text))) return;
    const route = "PATCH /repos/{owner}/{repo}/pulls/{number}";
    if (await this.#try("closed", route, { state: "closed" })) this.#result.ended = "closed";
  }

  async remind(): Promise<void> {
    const names = this.#entry.asked.flatMap((it) => mentionOf(it, this.#place.repository));
    const whom = names.length === 0 ? "" : `${names.join(", ")}: `;
    const text = `### Docs agent\n\n${whom}this docs pull request waits for a review.`;
    if (await this.#commentOnce("reminder", text)) this.#result.entry.isReminded = true;
  }

  /** Brings the comment up to date, if what it shows has changed. */
  async show(shown: Shown): Promise<void> {
    const { markers, connect } = this.#run;
    const text = commentText(shown);
    const digest = digestOf(text);
    const known = this.#entry.comment;
    if (known?.digest === digest) return;
    const place = this.#place;
    const marker = { about: "status" };
    const draft = "land status";
    const body = (id: number) => markedText(text, markers.write(place, marker, id));
    try {
      const github = await connect();
      let id = known?.id;
      if (id === undefined) {
        // A run that was killed may have left one.
        for await (const comment of newestComments(github, place)) {
          const isOwn = markers.read(comment.body, place, comment.id)?.about === "status";
          if (isOwn || markers.isDraft(comment.body, place, draft)) id = comment.id;
        }
        id ??= (
          await createComment(
            github,
            place,
            markedText(text, markers.writeDraft(place, marker, draft)),
          )
        ).id;
      }
      await editComment(github, place, id, body(id));
      this.#result.entry.comment = { id, digest };
    } catch (error) {
      const { status } = error as { status?: number };
      // Somebody has deleted it: the next run writes another.
      if (status === 404 && known !== null) this.#result.entry.comment = null;
      else
        this.#warn(`Its comment could not be written: ${explainRefusal(error, PERMISSIONS).why}.`);
    }
  }

  async #commentOnce(name: string, text: string): Promise<boolean> {
    const { markers, connect } = this.#run;
    try {
      const marked = { markers, name: `land ${name}`, marker: { about: name } };
      await commentOnce(await connect(), this.#place, marked, text);
      return true;
    } catch (error) {
      this.#warn(`It could not be commented on: ${explainRefusal(error, PERMISSIONS).why}.`);
      return false;
    }
  }

  /** @param isTold whether a refusal is a warning */
  async #try(done: string, route: string, fields: object, isTold = true): Promise<boolean> {
    try {
      await this.#request(route, fields);
      return true;
    } catch (error) {
      const { why, isPassing } = explainRefusal(error, PERMISSIONS);
      this.#isPassing ||= isPassing || this.#run.dependencies.cancellation.stop.aborted;
      if (isTold) this.#warn(`It could not be ${done}: ${why}.`);
      return false;
    }
  }

  async #request(route: string, fields: object): Promise<void> {
    const github = await this.#run.connect();
    const { issue: number } = this.#place;
    await github.request(route, { ...owned(this.#place), number, ...fields });
  }

  #warn(text: string): void {
    this.#run.dependencies.log.warning(`${this.#entry.url}: ${text}`);
  }
}

/** Who is asked for a review. `authors` are those whose changes it documents; nobody is asked about their own. */
function reviewersOf(given: readonly string[], { changes }: Entry, author: string): string[] {
  const authors = changes.map((it) => it.author).filter((it) => it !== "" && !it.endsWith("[bot]"));
  const all = given.flatMap((it) => (it === "authors" ? authors : [it]));
  const own = author.replace(/\[bot\]$/, "").toLowerCase();
  return [...new Set(all)].filter((it) => it.toLowerCase().replace(/\[bot\]$/, "") !== own);
}

function mentionOf(reviewer: string, repository: string): string[] {
  if (!reviewer.startsWith("team:")) return [`@${reviewer}`];
  return [`@${owned({ repository }).owner}/${reviewer.slice(5)}`];
}
