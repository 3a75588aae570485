/**
 * Judges each green status of the gate by what is true at that moment. It knows the design and the emulated GitHub, and
 * nothing of the action.
 *
 * The rule: a status is not green while an open pull request with that head needs documentation, and has needed it ever
 * since the run was last answered about that pull request (a copy that is behind answers as it was then). A run that
 * never asked which pull requests have the head cannot know, and what is true when it sets the status counts.
 */

import { AGENT } from "../../../emulator/github/people.ts";
import { filesOf } from "../../../emulator/github/routes/pulls.ts";
import type { Pull } from "../../../emulator/github/state.ts";
import { endOf, lastTurn } from "../../../emulator/service/agent/job.ts";
import type { LedgerWorld } from "../../support/memory-world/ledger-world.ts";

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
  /** Whether it has needed documentation at each request since then. */
  isNeeded: boolean;
}

export class GateJudge {
  greens = 0;
  readonly asked: AskedJob[] = [];
  readonly #world: LedgerWorld;
  /** What a run was last answered about each pull request. */
  readonly #known = new Map<number, Known>();
  #hasListed = false;

  constructor(world: LedgerWorld) {
    this.#world = world;
  }

  begin(): void {
    this.#known.clear();
    this.#hasListed = false;
  }

  /** The pull requests that people opened. */
  get pulls(): Pull[] {
    return this.#world.home.pulls.filter(({ author }) => author !== AGENT);
  }

  /** Called at each request of a run. @param late the age of the copy that answers */
  note(late: number): void {
    for (const [number, known] of this.#known) {
      known.isNeeded &&= this.#isNeeded(number, 0) && this.#isNeeded(number, late);
    }
  }

  /** Called when a run is answered about a pull request. */
  reads(number: number, late: number): void {
    const head = this.pulls.find((pull) => pull.number === number)?.head ?? "";
    const isNeeded = this.#isNeeded(number, 0) && this.#isNeeded(number, late);
    this.#known.set(number, { head, isNeeded });
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
    const own = this.pulls.filter(({ head, state }) => head === sha && state === "open");
    return own
      .filter(({ number }) => this.#isNeeded(number, 0))
      .filter(({ number }) => {
        const known = this.#known.get(number);
        if (known === undefined) return !this.#hasListed;
        return known.head === sha && known.isNeeded;
      })
      .map(({ number }) => `#${number} is green, although it needs documentation`);
  }

  #isNeeded(number: number, late: number): boolean {
    const { home, servers } = this.#world;
    const restore = late > 0 ? home.rewind(servers.now - late) : () => {};
    const pull = this.pulls.find((it) => it.number === number);
    const isNeeded = pull !== undefined && this.#needsDocs(pull);
    restore();
    return isNeeded;
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

  /** A job was asked for on it, has not failed, and its docs pull request was not closed unmerged. */
  #isCovered({ number }: Pull): boolean {
    const { home, servers } = this.#world;
    return this.asked.some(({ number: of, job: id, comment, text }) => {
      const isThere = home.comments.get(comment)?.body === text;
      const job = servers.agent.jobs.find((it) => it.id === id);
      if (of !== number || !isThere || job === undefined) return false;
      const turn = lastTurn(job);
      const isOver = (endOf(turn) ?? Number.POSITIVE_INFINITY) <= servers.now;
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
      const pushedAt = home.objects.receivedAt.get(pull.head) ?? 0;
      const isOfHead = post.updatedAt >= pushedAt - (pushedAt % 1000);
      const isLasting = forkOwner === null || forkOwner === post.author;
      return isVisible && home.may(post.author, "write") && (isLasting || isOfHead);
    });
  }
}
