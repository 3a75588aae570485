/** What a run may ask before it decides. Each question is asked at most once. */

import {
  type PullEnd,
  type PullState,
  readPullEnd,
  stateOfPull,
} from "../github/changes/pull-state.ts";
import type { Issue } from "../github/conversation/labelled-issue.ts";
import { ALL_RECORDED } from "../ledger/unavailable.ts";
import { once } from "../runtime/dependencies.ts";
import { cancelledRun } from "../runtime/errors.ts";
import { type Fact, mapFact } from "../runtime/fact.ts";
import type { BatchRun } from "./batch-run.ts";
import type { documentedIn } from "./model/excerpts.ts";
import type { Ledger, RunningBatch } from "./model/ledger.ts";
import type { Polled } from "./model/polls.ts";

export interface BatchReads {
  /** @throws ActionError `cancelled` */
  checkCancelled(): void;
  /** The commit of the ledger that is planned on; null for none. */
  commit(): string | null;
  /** The issue that shows a ledger. */
  dashboard(ledger: Ledger): Promise<Fact<Issue>>;
  /** The job of a batch or draft. `id`: of the batch. */
  poll(batch: Pick<RunningBatch, "id" | "job">): Promise<Fact<Polled>>;
  pullState(link: string): Promise<Fact<PullState>>;
  pullEnd(link: string): Promise<Fact<PullEnd>>;
  /** Who closed a docs pull request, if it was `land`, a bot, or nobody knows; null for a person. */
  closedBy(link: string): Promise<Fact<string | null>>;
  /** What the history says of a docs pull request. */
  documented(link: string): Promise<Fact<NonNullable<ReturnType<typeof documentedIn>>>>;
}

/** Reads that ask GitHub and the service, each question once, however often a run plans. */
export function batchReads(run: BatchRun): BatchReads {
  const find = once(() => run.dashboard.find());
  const readIssue = oncePer((number: number) => run.dashboard.read(number));
  const readPull = oncePer((link: string) => run.readPull(link));
  const readEnd = oncePer(async (link: string) => {
    const read = await readPull(link);
    return read.type === "known" ? await readPullEnd(read.value) : read;
  });
  return {
    checkCancelled: () => {
      if (run.dependencies.cancellation.stop.aborted) throw cancelledRun(ALL_RECORDED);
    },
    commit: () => run.store.head.sha,
    dashboard: async (ledger) => {
      // It may exist although the ledger does not know it yet, or no longer.
      const number = run.dashboard.numberFor(ledger) ?? (await find());
      return number === null ? { type: "absent" } : await readIssue(number);
    },
    poll: oncePer(
      ({ job }: Pick<RunningBatch, "id" | "job">) => run.poll(job),
      ({ id }) => id,
    ),
    pullState: async (link) => {
      return mapFact(await readPull(link), ({ pull }) => stateOfPull(pull));
    },
    pullEnd: readEnd,
    closedBy: (link) => run.readClosedBy(link),
    documented: async (link) => {
      const value = await run.readDocumented(link);
      return value === null ? { type: "absent" } : { type: "known", value };
    },
  };
}

/** Asks about each value once. @param keyOf tells values apart */
export function oncePer<T, R>(
  read: (value: T) => Promise<R>,
  keyOf: (value: T) => unknown = (value) => value,
): (value: T) => Promise<R> {
  const known = new Map<unknown, Promise<R>>();
  return (value) => asked(known, keyOf(value), () => read(value));
}

/** Asks about a key once. */
export function asked<K, R>(known: Map<K, Promise<R>>, key: K, read: () => Promise<R>): Promise<R> {
  const reading = known.get(key) ?? read();
  known.set(key, reading);
  return reading;
}
