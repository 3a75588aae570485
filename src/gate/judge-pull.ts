import type { Comment } from "../github/comments.ts";
import { connector } from "../github/connect.ts";
import { GitRef } from "../github/git-ref.ts";
import { histories } from "../github/history.ts";
import type { Pull } from "../github/history-records.ts";
import type { RunContext } from "../github/run-context.ts";
import type { GateInputs } from "../inputs/gate.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { inlineCode } from "../text/markdown.ts";
import { clause } from "../text/sentence.ts";
import type { DocsJobs } from "./docs-jobs.ts";
import type { DraftRead, Drafts } from "./drafts.ts";
import { readComments, writeGateComment } from "./gate-comment.ts";
import { orphanText, type PullVerdict, reportText } from "./report.ts";
import { type DocsJob, type Facts, judge, MOST_FILES } from "./verdict.ts";

/** GitHub gives so many files at a time. */
const FILE_PAGES = MOST_FILES / 100;

/** Judges pull requests of one repository. */
export class Gate {
  readonly #inputs: GateInputs;
  readonly #context: RunContext;
  readonly #dependencies: Dependencies;
  readonly connect;
  readonly historyOf;

  constructor(inputs: GateInputs, context: RunContext, dependencies: Dependencies) {
    this.#inputs = inputs;
    this.#context = context;
    this.#dependencies = dependencies;
    this.connect = connector(inputs, dependencies);
    this.historyOf = histories(this.connect);
  }

  /**
   * The verdict on a pull request. Each thing is read only if the verdict depends on it.
   *
   * @param mayAct whether a draft may be asked for, and the comment be written
   */
  async judge(number: number, mayAct: boolean): Promise<PullVerdict & { commentUrl: string }> {
    const { repository } = this.#context;
    const place = { repository, issue: number };
    const history = await this.historyOf(repository);
    const pull = await history.pull(number);
    const notes: string[] = [];
    let comments: Comment[] | null = null;
    let facts: Facts = { pull };
    let judged = judge(facts, this.#inputs);
    while (judged.type === "read") {
      const { what } = judged;
      if (what === "files") {
        facts = { ...facts, files: (await history.pullFiles(number, FILE_PAGES)).files };
      } else if (what === "agent") {
        const { readAgents } = await import("../ledger/run/ledger-run.ts");
        facts = { ...facts, agent: await readAgents(new GitRef(repository, "", this.connect)) };
      } else {
        comments = await readComments(this.connect, place);
        const jobs = await (await this.#jobs()).ofComments(comments, place);
        facts = { ...facts, jobs: await this.#withDraft(facts, jobs, mayAct, notes) };
      }
      judged = judge(facts, this.#inputs);
    }
    const verdict = { ...judged, number, url: pull.url, notes };
    const orphan = pull.isOpen || pull.mergedAt !== null ? null : await this.#orphanOf(pull);
    const text = orphan === null ? reportText(verdict, this.#inputs) : orphanText(orphan);
    let commentUrl = "";
    if (mayAct && this.#inputs.comment && (pull.isOpen || orphan !== null)) {
      comments ??= await readComments(this.connect, place);
      const isNews = judged.verdict === "needed" || orphan !== null;
      const comment = { name: this.#inputs.name, text, isNews, place, comments };
      commentUrl = await writeGateComment(comment, this.connect, this.#dependencies.log);
    }
    return { ...verdict, commentUrl };
  }

  /** Adds the pull request's draft, or asks for one. @param notes gets why there is none */
  async #withDraft(
    { pull, files = [] }: Facts,
    jobs: DocsJob[],
    mayAct: boolean,
    notes: string[],
  ): Promise<DocsJob[]> {
    const isCovered = jobs.some(({ hasFailed }) => !hasFailed);
    if (this.#inputs.draft === "never" || isCovered) return jobs;
    const history = await this.historyOf(this.#context.repository);
    const reviews = await history.reviews(pull.number);
    // An approval that was dismissed may have brought a draft.
    if (!reviews.some(({ state }) => state === "APPROVED" || state === "DISMISSED")) return jobs;
    const drafts = await this.#drafts();
    let read: DraftRead = { why: NO_KEY };
    if (drafts !== null) {
      read = await drafts.read(pull);
      if (read === null && mayAct) read = await drafts.ask(pull, files, reviews);
    }
    if (read === null) return jobs;
    if ("job" in read) return [read.job, ...jobs];
    const note = `There is no draft: ${clause(read.why)}.`;
    this.#dependencies.log.warning(note);
    notes.push(
      read.why === NO_KEY ? note : `There is no draft: ${inlineCode(clause(read.why), 400)}`,
    );
    return jobs;
  }

  /** The docs pull request that documents one that was closed without merging; null: there is none. */
  async #orphanOf(pull: Pull): Promise<string | null> {
    if (this.#inputs.draft === "never") return null;
    const read = (await (await this.#drafts())?.read(pull)) ?? null;
    return read !== null && "job" in read ? read.job.prLink : null;
  }

  async #drafts(): Promise<Drafts | null> {
    if (this.#inputs.apiKey === "") return null;
    const { Drafts: OfProject } = await import("./drafts.ts");
    return new OfProject(this.#inputs, this.#context, await this.#jobs(), this.#dependencies);
  }

  /** Loaded when it is needed, as the ledger is: most runs need neither. */
  async #jobs(): Promise<DocsJobs> {
    const { DocsJobs: OfInputs } = await import("./docs-jobs.ts");
    return new OfInputs(this.#inputs, this.#dependencies);
  }
}

const NO_KEY =
  "there is no `api-key`. Secrets are not passed to workflows triggered from a fork by `pull_request` and `pull_request_review`";
