/**
 * Judges each green status of the gate by what is true at that moment. It knows the design and the emulated GitHub, and
 * nothing of the action.
 *
 * The rule: a status is not green while an open pull request with that head needs documentation, and has needed it ever
 * since the run was last answered about that pull request (a copy that is behind answers as it was then). A run that
 * never asked which pull requests have the head cannot know, and what is true when it sets the status counts. The same
 * holds for what is against a draft, which is asked for only after an approval, and while nobody asks for changes.
 */

import { AGENT } from "../../../emulator/github/people.ts";
import { filesOf } from "../../../emulator/github/routes/pulls.ts";
import type { Pull } from "../../../emulator/github/state.ts";
import { endOf, lastTurn } from "../../../emulator/service/agent/job.ts";
import type { LedgerWorld } from "../../support/memory-world/ledger-world.ts";
import { opinionsOf } from "./truth.ts";

const MINUTE = 60_000;

/** A job that a comment on a pull request is about. */
export interface AskedJob {
  number: number;
  job: string;
  /** ID of its comment, and the comment's text. */
  comment: number;
  text: string;
}

interface Known {
  head: string;
  /** What has been so at each request since then. */
  facts: readonly string[];
}

const NEEDED = "it needs documentation";
/** What is shown by the answer about a pull request, and not by that about what people say. */
const OF_PULL = ["it is over", "it is a draft", "it needs no documentation"];

export class GateJudge {
  greens = 0;
  readonly asked: AskedJob[] = [];
  readonly #world: LedgerWorld;
  starts = 0;
  /** The jobs that runs asked for as drafts, by the pull request. */
  readonly drafts = new Map<number, string[]>();
  /** The pull requests of the merge queue's groups, by their heads. */
  readonly groups = new Map<string, readonly number[]>();
  /** What a run was last answered about each pull request, and about what people say of it. */
  readonly #known = new Map<number, Known>();
  readonly #opinions = new Map<number, Known>();
  #hasListed = false;

  constructor(world: LedgerWorld) {
    this.#world = world;
  }

  begin(): void {
    this.#known.clear();
    this.#opinions.clear();
    this.#hasListed = false;
  }

  /** The pull requests that people opened. */
  get pulls(): Pull[] {
    return this.#world.home.pulls.filter(({ author }) => author !== AGENT);
  }

  /** Called at each request of a run. @param late the age of the copy that answers */
  note(late: number): void {
    for (const answers of [this.#known, this.#opinions]) {
      for (const [number, known] of answers) {
        const facts = this.#facts(number, late);
        known.facts = known.facts.filter((fact) => facts.includes(fact));
      }
    }
  }

  /** Called when a run is answered about a pull request. */
  reads(number: number, late: number): void {
    this.#known.set(number, this.#answer(number, late));
  }

  /** Called when a run is answered about what people say of a pull request. */
  readsOpinions(number: number, late: number): void {
    this.#opinions.set(number, this.#answer(number, late));
  }

  /** Called when a run is answered about all open pull requests: it knows their heads from then on. */
  lists(late: number): void {
    this.#hasListed = true;
    for (const { number, state } of this.pulls) {
      if (state === "open" && !this.#known.has(number)) this.reads(number, late);
    }
  }

  /** @returns what is wrong with a green status that is about to be set */
  judge(sha: string): string[] {
    this.greens += 1;
    const grouped = this.groups.get(sha);
    const own = this.pulls.filter(({ head, state, number }) =>
      grouped === undefined ? head === sha && state === "open" : grouped.includes(number),
    );
    return own
      .filter(({ number }) => this.#factsNow(number).includes(NEEDED))
      .filter(({ number }) => {
        const known = this.#known.get(number);
        if (known === undefined) return !this.#hasListed;
        return (grouped !== undefined || known.head === sha) && known.facts.includes(NEEDED);
      })
      .map(({ number }) => `#${number} is green, although ${NEEDED}`);
  }

  /** @returns what is wrong with asking for the documentation of a pull request */
  judgeStart(number: number): string[] {
    this.starts += 1;
    // Its ID is the next one.
    const id = `job-${this.#world.servers.agent.jobs.length + 1}`;
    this.drafts.set(number, [...(this.drafts.get(number) ?? []), id]);
    const known = this.#known.get(number)?.facts ?? [];
    const opinions = this.#opinions.get(number)?.facts ?? [];
    const wrong = this.#factsNow(number).filter((fact) =>
      OF_PULL.includes(fact) ? known.includes(fact) : opinions.includes(fact),
    );
    return wrong
      .filter((fact) => fact !== NEEDED)
      .map((fact) => `a draft for #${number} is asked for, although ${fact}`);
  }

  #answer(number: number, late: number): Known {
    const head = this.pulls.find((pull) => pull.number === number)?.head ?? "";
    return { head, facts: this.#facts(number, late) };
  }

  /** What is so now, and was so already in the copy. */
  #facts(number: number, late: number): string[] {
    const now = this.#factsNow(number);
    if (late === 0) return now;
    const { home, servers } = this.#world;
    const restore = home.rewind(servers.now - late);
    const before = this.#factsNow(number);
    restore();
    return now.filter((fact) => before.includes(fact));
  }

  #factsNow(number: number): string[] {
    const pull = this.pulls.find((it) => it.number === number);
    if (pull === undefined) return [];
    const { home } = this.#world;
    const opinions = opinionsOf(home, pull).map(({ state }) => state);
    const isNeeded = this.#needsDocs(pull);
    const facts: [isSo: boolean, fact: string][] = [
      [pull.state !== "open", "it is over"],
      [pull.isDraft, "it is a draft"],
      [!opinions.some((state) => state !== "CHANGES_REQUESTED"), "nobody approves it"],
      [opinions.includes("CHANGES_REQUESTED"), "somebody asks for changes"],
      [isNeeded, NEEDED],
      [!isNeeded, "it needs no documentation"],
    ];
    return facts.filter(([isSo]) => isSo).map(([, fact]) => fact);
  }

  #needsDocs(pull: Pull): boolean {
    const { home } = this.#world;
    if (pull.state !== "open" || pull.labels.includes("skip-docs")) return false;
    const files = filesOf(home, pull);
    if (!files.some(({ path }) => path.startsWith("src/"))) return false;
    const isThere = ({ path }: { path: string }) => home.read(pull.head, path) !== undefined;
    if (files.some((file) => file.path.startsWith("docs/") && isThere(file))) return false;
    return !this.#isCovered(pull) && !this.#isExcused(pull);
  }

  /**
   * A job was asked for on it, by comment or as a draft, has not failed, and its docs pull request was not closed, as
   * far as the service knows the job.
   */
  #isCovered({ number }: Pull): boolean {
    const { home, servers } = this.#world;
    const asked = this.asked.filter(
      ({ number: of, comment, text }) => of === number && home.comments.get(comment)?.body === text,
    );
    const ids = asked.map(({ job }) => job);
    return servers.agent.jobs.some((job) => {
      const isDraft = this.drafts.get(number)?.includes(job.id) === true;
      if (!ids.includes(job.id) && !isDraft) return false;
      const turn = lastTurn(job);
      const age = servers.now - turn.startedAt;
      // Nobody is told how it went, nor of its docs pull request.
      if (age < turn.steering.missingMs) return true;
      // A run does not poll the job that it has just asked for.
      const isNew = isDraft && age < MINUTE;
      const isOver = !isNew && (endOf(turn) ?? Number.POSITIVE_INFINITY) <= servers.now;
      const docs = servers.agent.pulls.find(({ branch }) => branch === job.branch);
      const isClosed = docs?.state === "closed" && docs.mergedAt === null;
      return !(isOver && turn.steering.outcome === "failed") && !isClosed;
    });
  }

  /** A visible line by somebody with write permission; on a fork's, for heads that were there by then. */
  #isExcused(pull: Pull): boolean {
    const { home } = this.#world;
    const { author, body, createdAt, editedAt = createdAt } = pull;
    const description = { author, body: body ?? "", updatedAt: editedAt };
    return [description, ...home.commentsOn(pull.number)].some((post) => {
      const isVisible = /^docs: none,[ \t]+\S/im.test(post.body.replaceAll(/<!--.*?-->/gs, ""));
      const { forkOwner } = pull;
      const isLasting = forkOwner === null || forkOwner === post.author;
      const isOfHead = post.updatedAt >= this.#seenAt(pull.head);
      return isVisible && home.may(post.author, "write") && (isLasting || isOfHead);
    });
  }

  /** When GitHub first had a status or a check suite of a head, which is what it says of its age; else never. */
  #seenAt(head: string): number {
    const { home } = this.#world;
    const reports = [...home.statuses, ...home.checkSuites].filter(({ sha }) => sha === head);
    return Math.min(...reports.map(({ created_at }) => Date.parse(created_at)));
  }
}
