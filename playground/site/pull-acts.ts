/** What a person does with pull requests on GitHub, done on the emulated one over its API, and told to its workflows. */

import { AGENT, WORKFLOW } from "../../emulator/github/people.ts";
import { HttpError } from "../../emulator/http/http-error.ts";
import type { LocalWorld } from "../../emulator/local-world/index.ts";
import type { WorkflowRuns } from "../actions/workflow-runs.ts";
import { DEFAULT_PERSON, MAINTAINER, PEOPLE } from "./people.ts";
import type { PullRecord, ReviewCommentRecord } from "./records.ts";

const IGNORED_LABEL = "skip-docs";

/** The two workflows that answer a request with `/docs`; a comment is for one of them. */
export const WAITING = "examples/ask-by-comment.yml";
export const WITHOUT_WAITING = "examples/ask-by-comment-without-waiting.yml";

/** A place in a file of a pull request. */
export interface Place {
  /** Empty: no place. */
  path: string;
  line: number;
}

/** A change of the code, to be opened as a pull request. */
export interface Change {
  title: string;
  /** Whether it has the {@link IGNORED_LABEL}. */
  isIgnored: boolean;
  /** Whether it changes the documentation, too. */
  hasDocs: boolean;
}

export class PullActs {
  /** How much was done here: it is not sent over HTTP, so that GitHub does not count it. */
  count = 0;
  protected readonly world: LocalWorld;
  protected readonly runs: WorkflowRuns;
  #last: Promise<unknown> = Promise.resolve();
  #changes = 0;

  constructor(world: LocalWorld, runs: WorkflowRuns) {
    this.world = world;
    this.runs = runs;
  }

  /** Opens a pull request with a change of the code, and may merge it; returns its number. @throws HttpError */
  async change({ title, isIgnored, hasDocs }: Change, isMerge: boolean): Promise<number> {
    if (title === "") throw new HttpError(422, "Give the change a title.");
    const { home } = this.world.github;
    return await this.inTurn(async () => {
      const nth = this.#next();
      const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? [];
      const name = [...words.slice(0, 5), nth].join("-");
      const docs = { [`docs/${name}.md`]: `# ${title}\n` };
      const files = { [`src/${name}.ts`]: `// ${title}\n`, ...(hasDocs && docs) };
      const labels = isIgnored ? [IGNORED_LABEL] : [];
      // Another playground or a test may use the same repository: its branches have other names.
      const branch = `change/${Date.now()}-${nth}`;
      const pull = home.openPull({ title, labels, commits: [{ message: title, files }], branch });
      if (isMerge) home.merge(pull, "squash");
      else await this.tellPull(pull.number, DEFAULT_PERSON, "opened");
      return pull.number;
    });
  }

  /** Sets or removes a label of a pull request. @throws HttpError */
  async label(number: number, name: string, isSet: boolean): Promise<void> {
    if (name === "") throw new HttpError(422, `Name a label, such as: ${IGNORED_LABEL}`);
    const path = `/issues/${number}/labels`;
    if (isSet) await this.send(MAINTAINER, "POST", path, { labels: [name] });
    else await this.send(MAINTAINER, "DELETE", `${path}/${encodeURIComponent(name)}`, {});
    const label = { name };
    await this.tellPull(number, MAINTAINER, isSet ? "labeled" : "unlabeled", { label });
  }

  /**
   * Tells the workflows what happened to a pull request with code. The gate has nothing to say of the agent's.
   *
   * @param action as GitHub calls it: `synchronize`, for example
   */
  async tellPull(number: number, login: string, action: string, more: object = {}): Promise<void> {
    const pull_request = await this.world.github.api<PullRecord>(`/pulls/${number}`);
    if (pull_request.user.login === AGENT) return;
    await this.tell("pull_request", login, { action, number, pull_request, ...more });
  }

  /** Merges an open pull request, or closes it. @throws HttpError */
  async endPull(number: number, isMerge: boolean): Promise<void> {
    const path = `/pulls/${number}`;
    if (isMerge) await this.send(MAINTAINER, "PUT", `${path}/merge`, {});
    else await this.send(MAINTAINER, "PATCH", path, { state: "closed" });
    await this.tellPull(number, MAINTAINER, "closed");
  }

  /**
   * Reviews a pull request, as a whole or on a line.
   *
   * @param event as GitHub calls it: `APPROVE`, for example
   * @throws HttpError
   */
  async review(number: number, login: string, event: string, text: string, { path, line }: Place) {
    if (event !== "APPROVE" && text.trim() === "")
      throw new HttpError(422, "Write something first: what should change?");
    const address = `/pulls/${number}`;
    const own =
      path === "" || text === "" ? { body: text } : { comments: [{ path, line, body: text }] };
    const body = { event, ...own };
    const review = await this.send<{ id: number }>(login, "POST", `${address}/reviews`, body);
    const [pull_request, comments] = await Promise.all([
      this.world.github.api<PullRecord>(address),
      this.world.github.api<ReviewCommentRecord[]>(`${address}/comments?per_page=100`),
    ]);
    await this.tell("pull_request_review", login, { action: "submitted", review, pull_request });
    for (const comment of comments) {
      if (comment.pull_request_review_id !== review.id) continue;
      const told = { action: "created", comment, pull_request };
      await this.tell("pull_request_review_comment", login, told);
    }
  }

  /** Reports how a check of a pull request's head has come out. @throws HttpError */
  async check(number: number, name: string, conclusion: string, text: string, place: Place) {
    const { head } = await this.world.github.api<PullRecord>(`/pulls/${number}`);
    const isGood = conclusion === "success";
    const { path, line } = place;
    const annotation = { path, start_line: line, end_line: line, message: text };
    const annotations =
      isGood || path === "" ? [] : [{ ...annotation, annotation_level: "failure" }];
    const output = { title: isGood ? "Everything is fine" : text, summary: "", annotations };
    const run = { name, head_sha: head.sha, conclusion, output };
    await this.send(WORKFLOW, "POST", "/check-runs", run);
  }

  /**
   * Changes a file of a pull request, as a person who pushes a commit.
   *
   * @param isConflict whether to the base instead, where it is then in conflict with the pull request
   * @throws HttpError
   */
  async pushTo(number: number, login: string, path: string, isConflict: boolean): Promise<void> {
    const { github } = this.world;
    const { head, base } = await github.api<PullRecord>(`/pulls/${number}`);
    const branch = isConflict ? base.ref : head.ref;
    const file = `/contents/${path}`;
    const ref = encodeURIComponent(branch);
    const old = await github.api<FileContent | undefined>(`${file}?ref=${ref}`, { allow: [404] });
    const text = isConflict ? "" : Buffer.from(old?.content ?? "", "base64").toString("utf8");
    const content = Buffer.from(`${text}\nEdited by ${login} (${this.#next()}).\n`);
    await this.send(login, "PUT", file, {
      ...{ message: `Edit ${path}`, branch, content: content.toString("base64") },
      ...(old && { sha: old.sha }),
    });
    if (!isConflict) await this.tellPull(number, login, "synchronize");
  }

  /** Sends a request as somebody. @throws HttpError */
  protected send<Answer>(
    login: string,
    method: string,
    path: string,
    body: object,
  ): Promise<Answer> {
    if (login !== WORKFLOW && !Object.hasOwn(PEOPLE, login))
      throw new HttpError(422, `There is no account '${login}'.`);
    const { github } = this.world;
    return github.api<Answer>(path, { method, body, token: github.tokenOf(login) });
  }

  /** @param disabled the file of a workflow that is not told */
  protected async tell(
    name: string,
    actor: string,
    payload: Record<string, unknown>,
    disabled = WITHOUT_WAITING,
  ) {
    const repository = await this.world.github.api<object>("");
    void this.dispatch(name, actor, { ...payload, repository }, disabled);
  }

  protected dispatch(name: string, actor: string, payload: Record<string, unknown>, disabled = "") {
    const sender = { login: actor, type: "User" };
    return this.runs.dispatch({ name, actor, payload: { ...payload, sender } }, disabled);
  }

  /** Tells one change from another. */
  #next(): number {
    this.#changes += 1;
    return this.#changes;
  }

  /** One after the other: what two browsers change at once does not mix. */
  protected inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }
}

export interface FileContent {
  sha: string;
  content: string;
}
