import type { Moved, RefRead } from "../../github/git-ref.ts";
import type { IssueRead } from "../../github/labelled-issue.ts";
import type { Failed } from "../../github/refusal.ts";
import type { BatchSent, Decision, Polled, PullRequest } from "../model/batch-events.ts";
import type { Batch, Change, Ledger } from "../model/ledger.ts";
import type { LedgerEdit } from "../model/ledger-edit.ts";

/** What an action wants to hand over. */
export interface Choice {
  batches: Planned[];
  /** Why it is no more than that, as the action calls it. */
  reason: string;
}

/** A batch that is to be handed over. */
export interface Planned {
  changes: Change[];
  attempt: number;
  followUp?: Batch["followUp"];
}

/** How the request for a batch came out. */
export interface Delivery {
  sent: BatchSent;
  /** No further request makes sense in this run. */
  isLast: boolean;
  /** The service has refused the key or the project. */
  isRefused: boolean;
}

/** Both in milliseconds. */
export interface ClockRead {
  /** Of a clock that never goes back, and may stand still while the machine sleeps. */
  monotonic: number;
  /** Since 1970. */
  wall: number;
}

/** What the post step needs of the batches of a run that was killed. */
export interface RunMemory {
  batches: { id: string; sent: BatchSent }[];
}

/**
 * All that a run of a ledger does to the world. A run may die before and after each call, and other runs
 * may do anything in between.
 */
export interface LedgerPort {
  readRef(): Promise<RefRead | Failed>;
  /** A file at a commit; null: there is no such file, or no such commit. */
  readFile(sha: string, path: string): Promise<{ text: string | null } | Failed>;
  /** Makes a commit that no ref leads to. */
  commit(
    parent: string | null,
    files: Readonly<Record<string, string>>,
    message: string,
  ): Promise<{ sha: string } | Failed>;
  /** Moves the ref to a commit that descends from where it is; from null: creates it. */
  move(from: string | null, to: string): Promise<Moved>;
  /** Whether a commit is the head or one of its ancestors. */
  contains(head: string, sha: string): Promise<{ contains: boolean } | Failed>;
  /** Waits before another attempt to write. @returns false: the run has to end */
  pause(attempt: number): Promise<boolean>;
  readClock(): Promise<ClockRead>;
  poll(batch: Pick<Batch, "jobId" | "isFollowUp" | "acceptedAt">): Promise<Polled | null>;
  readPullRequest(link: string): Promise<PullRequest>;
  /**
   * Finds out what there is, writes it into the edit, and chooses what to hand over.
   *
   * @param sha the commit that the ledger is at; null: there is none yet
   * @throws ActionError: nothing is sent and nothing written
   */
  choose(edit: LedgerEdit, sha: string | null): Promise<Choice>;
  send(batch: Pick<Batch, "id" | "changes">): Promise<Delivery>;
  /** Waits for the end of a batch's job, if the workflow wants that. Null: it has none yet. */
  wait(batch: Batch): Promise<Polled | null>;
  /** Comments on merged pull requests. @returns those that need no comment any more, by their keys */
  tell(untold: Ledger["untold"]): Promise<string[]>;
  /** Leaves to the post step what it needs should the run be killed; null: nothing. */
  remember(memory: RunMemory | null): Promise<void>;
  readDashboard(number: number): Promise<IssueRead | Failed>;
  /** An issue that a run opened and could not write down; null: there is none. */
  findDashboard(): Promise<{ number: number | null } | Failed>;
  openDashboard(body: string): Promise<{ number: number } | { refused: string } | Failed>;
  writeDashboard(number: number, body: string): Promise<Record<never, never> | Failed>;
  /** The body, without the part that {@link markBody} adds. */
  render(edit: LedgerEdit, ticked: readonly Decision[]): Promise<string>;
}

type Call = {
  [K in keyof LedgerPort]: { name: K; args: Parameters<LedgerPort[K]> };
}[keyof LedgerPort];

/** A part of a run, up to its result. It may be stopped between any two calls. */
export type Steps<T> = Generator<Call, T, unknown>;

type Io = {
  [K in keyof LedgerPort]: (
    ...args: Parameters<LedgerPort[K]>
  ) => Steps<Awaited<ReturnType<LedgerPort[K]>>>;
};

/** The calls of the port, as steps: `yield* io.readRef()`. */
export const io = new Proxy({} as Io, {
  get: (_, name: keyof LedgerPort) =>
    function* (...args: unknown[]): Steps<unknown> {
      return yield { name, args } as Call;
    },
});

/** Runs steps on a port. */
export async function perform<T>(steps: Steps<T>, port: LedgerPort): Promise<T> {
  let next = steps.next();
  while (!next.done) {
    const { name, args } = next.value;
    const call = port[name] as (...given: unknown[]) => Promise<unknown>;
    next = steps.next(await call.apply(port, args));
  }
  return next.value;
}

export function hasFailed<T extends object>(answer: T | Failed): answer is Failed {
  return "failed" in answer;
}
