/** Reads a repository's history, for callers that still catch what GitHub refuses. */

import { once } from "../../runtime/dependencies.ts";
import { UnusableAnswer } from "../api/answer.ts";
import type { GitHub } from "../api/client.ts";
import type { Connect } from "../api/connect.ts";
import { valueIn } from "../api/refusal.ts";
import { HistoryReader, isServerFaultFact } from "./history-reader.ts";
import type {
  Commit,
  CommitIdentity,
  Comparison,
  Distance,
  FileList,
  List,
  Pull,
  RepositoryFacts,
  SinglePull,
  Tag,
} from "./history-records.ts";

/** As {@link HistoryReader}. Every method throws what `explainRefusal` explains. */
export class History {
  /** `owner/name` */
  readonly repository: string;
  readonly #reader: HistoryReader;

  constructor(github: GitHub, repository: string) {
    this.repository = repository;
    this.#reader = new HistoryReader(github, repository);
  }

  readonly facts = once(async (): Promise<RepositoryFacts> => {
    return present(valueIn(await this.#reader.facts()));
  });

  async tip(branch: string): Promise<string | undefined> {
    return valueIn(await this.#reader.tip(branch)) ?? undefined;
  }

  async hasBranch(branch: string): Promise<boolean> {
    return valueIn(await this.#reader.hasBranch(branch)) ?? false;
  }

  async commit(ref: string): Promise<Commit | undefined> {
    return valueIn(await this.#reader.commit(ref)) ?? undefined;
  }

  async compare(base: string, head: string): Promise<Comparison | undefined> {
    return valueIn(await this.#reader.compare(base, head)) ?? undefined;
  }

  async commitsBack(
    sha: string,
    options: { pages: number; isEnough: (commits: readonly Commit[]) => boolean },
  ): Promise<List<Commit> | undefined> {
    return valueIn(await this.#reader.commitsBack(sha, options)) ?? undefined;
  }

  async mergedPulls(since: number): Promise<{ pulls: Pull[]; isComplete: boolean }> {
    return present(valueIn(await this.#reader.mergedPulls(since)));
  }

  /** `unknown` if GitHub does not know the commit, or not yet. */
  async mergedPullOf(
    sha: string,
    place: { id: number; branch: string },
  ): Promise<Pull | "unknown" | undefined> {
    const fact = await this.#reader.mergedPullOf(sha, place);
    return fact.type === "absent" ? "unknown" : (valueIn(fact) ?? undefined);
  }

  async pull(number: number): Promise<SinglePull> {
    return present(valueIn(await this.#reader.pull(number)));
  }

  /** One that GitHub cannot resolve is missing. */
  async commitsOfPulls(numbers: readonly number[]): Promise<Map<number, CommitIdentity[]>> {
    const facts = await Promise.all(numbers.map((number) => this.#reader.ownCommits(number)));
    const areAnyKnown = facts.some(({ type }) => type === "known");
    const own = new Map<number, CommitIdentity[]>();
    for (const [nth, fact] of facts.entries()) {
      const number = numbers[nth];
      const isUnresolved = areAnyKnown && fact.type === "unread" && fact.status === null;
      if (number !== undefined && !isUnresolved) own.set(number, present(valueIn(fact)));
    }
    return own;
  }

  async pullFiles(number: number, pages?: number): Promise<FileList> {
    return present(valueIn(await this.#reader.pullFiles(number, pages)));
  }

  async commitFiles(sha: string): Promise<(FileList & { body: string }) | undefined> {
    return valueIn(await this.#reader.commitFiles(sha)) ?? undefined;
  }

  async distance(base: string, head: string): Promise<Distance> {
    const fact = await this.#reader.distance(base, head);
    if (fact.type === "absent") return "unrelated";
    if (isServerFaultFact(fact)) return "unanswered";
    if (fact.type === "unread" && fact.status === 404) return "missing";
    return present(valueIn(fact));
  }

  async releases(): Promise<Tag[]> {
    return present(valueIn(await this.#reader.releases()));
  }

  async newestTags(): Promise<Tag[]> {
    return present(valueIn(await this.#reader.newestTags()));
  }
}

function present<T>(value: T | null): T {
  if (value === null) throw new UnusableAnswer("GitHub's response could not be read");
  return value;
}

/** Returns one reader per repository. */
export function histories(connect: Connect): (repository: string) => Promise<History> {
  const readers = new Map<string, History>();
  return async (repository) => {
    const history = readers.get(repository) ?? new History(await connect(), repository);
    readers.set(repository, history);
    return history;
  };
}
