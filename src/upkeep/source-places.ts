/** Finds the branches that `repositories` names as they are now: name, visibility and tip, up to 50 a request. */

import { asked, oncePer } from "../batches/batch-reads.ts";
import type { HistoryReader } from "../github/changes/history-reader.ts";
import {
  type BranchPlace,
  isLessVisible,
  type Visibility,
} from "../github/changes/history-records.ts";
import { once } from "../runtime/dependencies.ts";
import { type Fact, mapFact, type Unread } from "../runtime/fact.ts";
import type { SourceRepository } from "./inputs.ts";
import { isSame } from "./sources.ts";

/** How many requests it takes to read a branch by itself. */
const ALONE = 2;

/** Why a branch was not read, and will be by a later run. */
const NOT_YET: Unread = {
  type: "unread",
  cause: "incomplete",
  reason: "the run's requests were used up",
  isPassing: true,
  status: null,
};

/** The repository is there. */
function notShown({ branch }: SourceRepository): Unread {
  const reason = branch === null ? "it has no commits" : `it has no branch ${branch}`;
  return { type: "unread", cause: "refused", reason, isPassing: false, status: null };
}

/** Reads all places at once when the first one is asked for. What GraphQL does not answer is asked of REST. */
export class SourcePlaces {
  readonly #parts: ConstructorParameters<typeof SourcePlaces>[0];
  readonly #together: (source: SourceRepository) => Promise<Fact<BranchPlace>>;
  readonly #alone = new Map<string, Promise<Fact<BranchPlace>>>();
  readonly #askAll: () => Promise<void>;

  constructor(parts: {
    wanted: readonly SourceRepository[];
    /** The workflow's own. */
    repository: string;
    historyOf(repository: string): Promise<HistoryReader>;
    /** How many requests the run may still make to read. */
    readsLeft(): number;
  }) {
    this.#parts = parts;
    this.#together = oncePer(async ({ repository, branch }: SourceRepository) => {
      return await (await parts.historyOf(repository)).place(branch);
    }, keyOf);
    this.#askAll = once(async () => {
      await Promise.all([this.#own, ...parts.wanted].map((source) => this.#together(source)));
    });
  }

  /** A branch that `repositories` names. */
  async find(wanted: SourceRepository): Promise<
    | { readonly type: "known"; readonly value: BranchPlace }
    /** Fewer people can read it than the place where its changes would be shown, or may: `isCertain`. */
    | { readonly type: "hidden"; readonly id: number; readonly isCertain: boolean }
    | Unread
  > {
    const fact = await this.#read(wanted);
    if (fact.type === "absent") return notShown(wanted);
    if (fact.type === "unread") return fact;
    const { repository } = fact.value;
    const isOwn = isSame(repository.fullName, this.#parts.repository);
    if (isOwn || repository.visibility === "public") return fact;
    const own = await this.#visibility();
    if (own.type === "unread") return own;
    const visibility = own.type === "known" ? own.value : null;
    if (!isLessVisible(repository, { visibility })) return fact;
    const isCertain = repository.visibility !== null && visibility !== null;
    return { type: "hidden", id: repository.id, isCertain };
  }

  get #own(): SourceRepository {
    return { repository: this.#parts.repository, branch: null };
  }

  /** Who can read what the workflow's repository shows. */
  async #visibility(): Promise<Fact<Visibility | null>> {
    return mapFact(await this.#read(this.#own), ({ repository }) => repository.visibility);
  }

  async #read(source: SourceRepository): Promise<Fact<BranchPlace>> {
    await this.#askAll();
    const together = await this.#together(source);
    if (together.type === "known" || isLimit(together)) return together;
    return await asked(this.#alone, keyOf(source), async () => {
      if (this.#parts.readsLeft() < ALONE) return NOT_YET;
      const history = await this.#parts.historyOf(source.repository);
      return await history.placeAlone(source.branch);
    });
  }
}

function keyOf({ repository, branch }: SourceRepository): string {
  return `${repository.toLowerCase()}@${branch ?? ""}`;
}

/** GitHub answers no more requests for now. */
function isLimit(fact: Fact<unknown>): boolean {
  return fact.type === "unread" && fact.cause === "limited" && fact.status !== null;
}
