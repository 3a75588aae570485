/** An organization whose people merge pull requests all day, and merge and decide what upkeep brings them. */

import { filesIn } from "../../../emulator/github/git/trees.ts";
import { mergeabilityOf } from "../../../emulator/github/merge.ts";
import type { Repository } from "../../../emulator/github/repository.ts";
import type { Pull } from "../../../emulator/github/state.ts";
import { MemoryServers, type Plan } from "../../../emulator/local-world/memory-servers.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** A text that the service refuses. */
const REFUSED = "unprocessable";
/** In bytes. */
const LARGE = 10_000;
const METHODS = ["merge", "squash", "rebase"] as const;

/** A change that was merged. */
export interface Merged {
  /** By ID of the repository and number of the pull request. */
  key: string;
  repository: Repository;
  at: number;
  /** Whether the service refuses its text. */
  isRefused: boolean;
}

/** A job works for 10 to 40 minutes. Every fourth finds nothing to change. */
function planOf(random: () => number): Plan {
  const outcome = random() < 0.25 ? "no-changes" : "completed";
  return { outcome, takes: (10 + 30 * random()) * MINUTE };
}

export class Organization {
  readonly servers: MemoryServers;
  readonly merged: Merged[] = [];
  readonly repositories: readonly Repository[];
  /** When a repository was made private, by its ID. */
  readonly privateSince = new Map<number, number>();
  readonly #random: () => number;
  /** When people get to a docs pull request. */
  readonly #due = new Map<Pull, number>();

  /** @param count of repositories. The docs are in the last one */
  constructor(count: number, random: () => number) {
    this.#random = random;
    this.servers = new MemoryServers(() => planOf(random));
    const { github, repository, agent } = this.servers;
    const others = Array.from({ length: count - 1 }, (_, nth) => github.create(`acme/part-${nth}`));
    this.repositories = [...others, repository];
    for (const route of ["v2-create", "v2-message"] as const) {
      agent.service.state.faults.push({ route, status: 422, words: REFUSED, times: Infinity });
    }
  }

  /** Merges a pull request: every second one is in a tenth of the repositories. */
  land(isRefused: boolean): void {
    const at = Math.floor((this.repositories.length + 1) ** this.#random()) - 1;
    const repository = this.repositories[at];
    if (repository === undefined) throw new Error(`there is no repository ${at}`);
    const number = repository.nextNumber;
    const commits = Array.from({ length: 1 + Math.floor(3 * this.#random()) }, () => ({}));
    const title = `Improve ${isRefused ? `${REFUSED} ` : ""}part ${number}`;
    const body = "Requests may now name a region. Without one, the nearest is used. ".repeat(4);
    const method = METHODS[Math.floor(3 * this.#random())];
    repository.land({ title, body, commits }, method);
    const key = `${repository.id}#${number}`;
    this.merged.push({ key, repository, at: this.servers.now, isRefused });
  }

  /** Forgets the large files of the ledger's history, of which there are thousands. */
  forgetOldLedgers(): void {
    const { objects, refs, find } = this.servers.repository;
    const isLedger = (ref: string) => ref.startsWith("refs/docs-agent/");
    const trees = [...refs].flatMap(([ref, sha]) => (isLedger(ref) ? (find(sha)?.tree ?? []) : []));
    const kept = new Set(trees.flatMap((tree) => filesIn(objects, tree).map(({ sha }) => sha)));
    for (const [sha, { length }] of objects.blobs) {
      if (length > LARGE && !kept.has(sha)) objects.blobs.delete(sha);
    }
  }

  hide(repository: Repository): void {
    repository.visibility = "private";
    this.privateSince.set(repository.id, this.servers.now);
  }

  /** People merge docs pull requests two to eight hours after the agent opened them. */
  mergeDocs(): void {
    const { agent, repository, now } = this.servers;
    agent.openDuePulls();
    for (const pull of repository.pulls) {
      if (pull.state !== "open") continue;
      const due = this.#due.get(pull) ?? now + (2 + 6 * this.#random()) * HOUR;
      this.#due.set(pull, due);
      if (now < due) continue;
      if (mergeabilityOf(repository, pull).state === "clean") repository.merge(pull, "squash");
      else repository.close(pull);
    }
  }

  /** Keys of the changes in a prompt. The first link of each change is its own. */
  keysIn(prompt: string): string[] {
    const [, ...changes] = prompt.split(/^## Change \d+: /m);
    return changes.flatMap((text) => {
      const [, name, number] =
        /https:\/\/github\.com\/([\w-]+\/[\w-]+)\/pull\/(\d+)/.exec(text) ?? [];
      return name === undefined ? [] : [`${this.servers.github.find(name).id}#${number}`];
    });
  }
}
