/** The pull requests of a history of the gate, and what people do to them. */

import { AGENT, WORKFLOW } from "../../../emulator/github/people.ts";
import type { Pull } from "../../../emulator/github/state.ts";
import { LocalGitHub } from "../../../emulator/local-world/local-github.ts";
import { answerV2 } from "../../../emulator/service/agent/routes.ts";
import { jobMarkers } from "../../../src/github/conversation/job-marker.ts";
import type { Payload } from "../../../src/github/trigger/run-context.ts";
import type { Habit } from "../../support/memory-world/habits.ts";
import { LedgerWorld, type WorldEvent } from "../../support/memory-world/ledger-world.ts";
import type { GateEvent, GateSetting } from "./gate-events.ts";
import { GateWatch, MARK } from "./gate-watch.ts";

const MINUTE = 60_000;
const PROJECT = "docs";
/** Most pull requests of people in a history. */
const MOST = 4;

/** What a run is about. */
export interface Subject {
  eventName: string;
  payload: Payload;
  /** The pull requests that it judges. Null: all that are open. */
  pulls: readonly number[] | null;
}

export const SCHEDULE: Subject = { eventName: "schedule", payload: {}, pulls: null };
export const DISPATCH: Subject = { eventName: "workflow_dispatch", payload: {}, pulls: null };

export class GateWorld extends LedgerWorld {
  protected readonly watch: GateWatch;
  /** What the next run is about. */
  protected subject = SCHEDULE;
  /** How often a person touched the ledger. */
  protected losses = 0;
  readonly #people: LocalGitHub;
  #files = 0;

  constructor(setting: GateSetting) {
    super(setting.plans);
    this.#people = new LocalGitHub(this.servers.github, this.home);
    this.watch = new GateWatch(setting, this.servers, this.wrong);
    this.watch.key = this.key;
    this.#touch({ kind: "open", path: "src", author: "writer" });
    // So that an outdated copy has it, too.
    this.servers.now += 5 * MINUTE;
  }

  protected get key(): string {
    return `mint_test_${this.keys}`;
  }

  protected apply(event: GateEvent | WorldEvent | Habit): void {
    if (event.kind === "ref") this.losses += 1;
    const isOfWorld = this.applyToWorld(event);
    if (!isOfWorld) this.#touch(event as GateEvent);
    this.watch.key = this.key;
    this.watch.note();
  }

  #touch(event: GateEvent): void {
    switch (event.kind) {
      case "open": {
        if (this.watch.pulls().length === MOST) return;
        const commits = [{ files: this.#changed(event.path) }];
        const { number } = this.home.openPull({ author: event.author, commits });
        this.#aboutPull("pull_request", number);
        return;
      }
      case "docs":
        this.#touchDocs(event.is);
        return;
      case "group":
        this.#group();
        return;
      case "upkeep":
      case "relief":
      case "rename":
        return;
      default:
        this.#touchPull(event);
    }
  }

  #changed(path: string): Record<string, string> {
    this.#files += 1;
    return { [`${path}/${this.#files}.md`]: `${this.#files}\n` };
  }

  #aboutPull(eventName: string, number: number): void {
    const isComment = eventName === "issue_comment";
    const issue = { number, title: "", body: "", pull_request: {} };
    const payload = isComment ? { issue } : { pull_request: { number } };
    this.subject = { eventName, payload, pulls: [number] };
  }

  #touchPull(event: Extract<GateEvent, { at: number }>): void {
    const pulls = this.watch.pulls();
    const pull = pulls[event.at % pulls.length];
    if (pull === undefined) return;
    const { home } = this;
    const { number } = pull;
    this.#aboutPull("pull_request", number);
    const isOpen = pull.state === "open";
    switch (event.kind) {
      case "push":
        if (isOpen) home.push({ files: this.#changed(event.path) }, pull.branch);
        break;
      case "label":
      case "unlabel":
        home.change(pull, { labels: event.kind === "label" ? ["skip-docs"] : [] });
        break;
      case "merge":
        if (isOpen) home.merge(pull);
        break;
      case "close":
        home.close(pull);
        break;
      case "reopen":
        if (pull.mergedAt === null) home.setState(pull, "open", "writer");
        break;
      case "too large":
        home.switches.huge.add(pull.head);
        break;
      case "review":
        this.#aboutPull("pull_request_review", number);
        void this.#people
          .review(number, event.is, { login: event.by, body: "So." })
          .catch(() => {});
        break;
      case "say":
        this.#aboutPull("issue_comment", number);
        home.comment(pull, "docs: none, it is a test", event.by);
        break;
      case "ask":
        this.#ask(pull, event.version);
        break;
      case "comments":
        this.#touchComments(pull, event.are);
    }
  }

  /** A job that was asked for by comment, and its status comment. */
  #ask(pull: Pull, version: Extract<GateEvent, { kind: "ask" }>["version"]): void {
    const { agent } = this.servers;
    const path = `/v2/agent/${PROJECT}/job`;
    const { body } = answerV2(agent.service, "POST", path, "Document it.");
    const job = String((body as { id: unknown }).id);
    const { fullName: repository, id: repositoryId } = this.home;
    const known = version === "now" ? { repositoryId } : {};
    const place = { repository, ...known, issue: pull.number };
    const comment = this.home.comment(pull, "", WORKFLOW);
    const step = { run: "1", attempt: 1, step: "docs", asks: "hash" };
    const marker = { job, api: "v2", request: "accepted" as const, ended: false, ...step };
    const text = jobMarkers([this.key], PROJECT).write(place, marker, comment.id);
    this.home.setComment(comment, text);
    this.watch.asked.push({ number: pull.number, job, key: this.key, comment: comment.id, text });
  }

  #touchComments(pull: Pull, are: Extract<GateEvent, { kind: "comments" }>["are"]): void {
    const { home } = this;
    for (const comment of home.commentsOn(pull.number)) {
      const { body } = comment;
      if (are === "copied") for (const it of this.watch.pulls()) home.comment(it, body, "outsider");
      if (are === "annotated") home.setComment(comment, `A note.\n\n${body}`, "maintainer");
      if (are === "emptied") home.setComment(comment, "Nothing.", "maintainer");
      if (are === "deleted") home.setComment(comment, null);
    }
    if (are === "copied") home.comment(pull, MARK, "outsider");
  }

  #touchDocs(is: Extract<GateEvent, { kind: "docs" }>["is"]): void {
    const from = is === "reopened" ? "closed" : "open";
    const { pulls } = this.servers.agent;
    const docs = pulls.find(({ state, mergedAt }) => state === from && mergedAt === null);
    if (docs === undefined) return;
    if (is === "reopened") this.home.setState(docs, "open", "maintainer");
    else if (is === "merged") this.home.merge(docs);
    else this.home.close(docs);
  }

  /** The merge queue's group of the pull requests that are open. */
  #group(): void {
    const { home } = this;
    const open = home.pulls.filter(({ state, author }) => state === "open" && author !== AGENT);
    const last = open.at(-1);
    if (last === undefined) return;
    const base_sha = home.tip();
    const branch = `gh-readonly-queue/main/pr-${last.number}-${base_sha}`;
    const commits = open.map(({ number }) => ({ message: `Change (#${number})` }));
    const head_sha = home.forcePush(base_sha, branch, commits);
    const numbers = open.map(({ number }) => number);
    this.watch.groups.set(head_sha, numbers);
    const merge_group = { head_ref: `refs/heads/${branch}`, base_sha, head_sha };
    this.subject = { eventName: "merge_group", payload: { merge_group }, pulls: numbers };
  }
}
