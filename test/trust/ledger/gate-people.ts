import { AGENT } from "../../../emulator/github/people.ts";
import type { Pull } from "../../../emulator/github/state.ts";
import type { Payload } from "../../../src/github/trigger/run-context.ts";
import type { LedgerWorld } from "../../support/memory-world/ledger-world.ts";
import type { GateEvent } from "./gate-events.ts";
import { type GateWatch, MARK } from "./gate-watch.ts";

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

/** What people do to the pull requests of a history of the gate. */
export class GatePeople {
  /** What the next run is about. */
  subject = SCHEDULE;
  readonly #world: LedgerWorld;
  readonly #watch: GateWatch;
  #files = 0;

  constructor(world: LedgerWorld, watch: GateWatch) {
    this.#world = world;
    this.#watch = watch;
  }

  apply(event: GateEvent): void {
    switch (event.kind) {
      case "open": {
        if (this.#watch.pulls().length === MOST) return;
        const commits = [{ files: this.#changed(event.path) }];
        const { number } = this.#world.home.openPull({ author: event.author, commits });
        this.#aboutPull("pull_request", number);
        return;
      }
      case "docs":
        this.#world.decideDocs(event.is);
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
    const pulls = this.#watch.pulls();
    const pull = pulls[event.at % pulls.length];
    if (pull === undefined) return;
    const { home } = this.#world;
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
        void this.#world.people
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
  #ask({ number }: Pull, version: Extract<GateEvent, { kind: "ask" }>["version"]): void {
    const world = this.#world;
    const job = world.startJob("Document it.");
    const known = version === "now" ? { repositoryId: world.home.id } : {};
    const { id, body } = world.postStatus(job, number, known);
    this.#watch.asked.push({ number, job, key: world.key, comment: id, text: body });
  }

  #touchComments(pull: Pull, are: Extract<GateEvent, { kind: "comments" }>["are"]): void {
    const { home } = this.#world;
    for (const comment of home.commentsOn(pull.number)) {
      const { body } = comment;
      if (are === "copied")
        for (const it of this.#watch.pulls()) home.comment(it, body, "outsider");
      if (are === "annotated") home.setComment(comment, `A note.\n\n${body}`, "maintainer");
      if (are === "emptied") home.setComment(comment, "Nothing.", "maintainer");
      if (are === "deleted") home.setComment(comment, null);
    }
    if (are === "copied") home.comment(pull, MARK, "outsider");
  }

  /** The merge queue's group of the pull requests that are open. */
  #group(): void {
    const { home } = this.#world;
    const open = home.pulls.filter(({ state, author }) => state === "open" && author !== AGENT);
    const last = open.at(-1);
    if (last === undefined) return;
    const base_sha = home.tip();
    const branch = `gh-readonly-queue/main/pr-${last.number}-${base_sha}`;
    const commits = open.map(({ number }) => ({ message: `Change (#${number})` }));
    const head_sha = home.forcePush(base_sha, branch, commits);
    const numbers = open.map(({ number }) => number);
    this.#watch.groups.set(head_sha, numbers);
    const merge_group = { head_ref: `refs/heads/${branch}`, base_sha, head_sha };
    this.subject = { eventName: "merge_group", payload: { merge_group }, pulls: numbers };
  }
}
