/**
 * GitHub and the service as far as a ledger needs them, as plain data: a state can be copied, compared, and
 * gone on from in several ways.
 */

import { createHash } from "node:crypto";
import type { Issue } from "../../../src/github/conversation/labelled-issue.ts";
import type { LedgerEdit } from "../../../src/ledger/model/ledger-edit.ts";
import type { LedgerAction, LedgerPort } from "../../../src/ledger/protocol/port.ts";
import type { Git } from "../../../src/ledger/protocol/store.ts";
import { Unavailable } from "../../../src/ledger/protocol/unavailable.ts";
import { takeFound } from "./source.ts";

export const START = Date.parse("2026-11-22T10:00:00Z");

type Issues = LedgerPort["issue"];

/** All calls that a run makes to the world, under one name each. */
export interface Calls
  extends Git,
    Required<Pick<LedgerAction, "choose" | "send" | "wait" | "commentOn">>,
    Pick<LedgerPort, "poll" | "readPullRequest" | "remember"> {
  readDashboard: Issues["read"];
  findDashboard: Issues["find"];
  openDashboard: Issues["open"];
  writeDashboard: Issues["write"];
}

/** The same, with what they answer: `Promise` is left out. */
type Sync = {
  [K in keyof Calls]: (...args: Parameters<Calls[K]>) => Awaited<ReturnType<Calls[K]>>;
};

export interface World {
  now: number;
  commits: Readonly<Record<string, { parent: string | null; files: Record<string, string> }>>;
  ref: string | null;
  /** What the ref was before, for answers from an old copy. */
  refBefore: string | null;
  /** How many changes have landed. */
  landed: number;
  /** Requests that the service accepted: keys of their changes. */
  accepted: readonly { job: string; keys: string[]; outcome: "done" | "failed" }[];
  issues: readonly (Issue & { isDeleted: boolean })[];
  /** Whether runs may see Issues: without, far more of the rest can be explored. */
  hasIssues: boolean;
  /** What each run left for its post step. */
  memories: Readonly<Record<string, string>>;
}

export const EMPTY_WORLD: World = {
  now: START,
  commits: {},
  ref: null,
  refBefore: null,
  landed: 0,
  accepted: [],
  issues: [],
  hasIssues: true,
  memories: {},
};

/** How a call comes out, other than well. */
export type Fault =
  /** The answer gets lost: what was asked for was done, or was not. */
  | "lost after"
  | "lost before"
  /** A read of the ref is answered from an old copy. */
  | "stale";

/** The faults that a call can meet. */
export function faultsOf(name: keyof Calls): Fault[] {
  switch (name) {
    case "move":
    case "send":
    case "openDashboard":
      return ["lost before", "lost after"];
    case "readRef":
      return ["stale"];
    default:
      return [];
  }
}

const SHARED: readonly (keyof Calls)[] = ["readRef", "move", "send", "poll"];
const SHARED_ISSUES: readonly (keyof Calls)[] = [
  "findDashboard",
  "openDashboard",
  "writeDashboard",
  "readDashboard",
] as const;

/** Whether other runs may notice a call, or be noticed by it. */
export function isShared(name: keyof Calls, { hasIssues }: World): boolean {
  return SHARED.includes(name) || (hasIssues && SHARED_ISSUES.includes(name));
}

/** Makes one call. @returns the world after it, and the answer */
export function call(
  world: World,
  run: string,
  name: keyof Calls,
  args: readonly unknown[],
  fault: Fault | null,
): { world: World; answer: unknown } {
  let next = world;
  const set = (fields: Partial<World>) => {
    next = { ...next, ...fields };
  };
  const calls = callsOf(world, run, set);
  const perform = calls[name] as (...given: readonly unknown[]) => unknown;
  if (fault === "stale") return { world, answer: { sha: world.refBefore, now: world.now } };
  if (fault === "lost before") return { world, answer: LOST[name] };
  const answer = perform(...args);
  return { world: next, answer: fault === "lost after" ? LOST[name] : answer };
}

const LOST: Partial<Record<keyof Calls, unknown>> = {
  move: { type: "unanswered", why: "the connection was lost" },
  send: {
    sent: { type: "uncertain", why: "the connection was lost" },
    isLast: true,
    isKeyRefused: false,
  },
  openDashboard: new Unavailable("the connection was lost"),
};

function callsOf(world: World, run: string, set: (fields: Partial<World>) => void): Sync {
  const isAncestor = (sha: string, of: string | null): boolean =>
    of !== null && (of === sha || isAncestor(sha, world.commits[of]?.parent ?? null));
  const moveTo = (to: string) => set({ ref: to, refBefore: world.ref });
  return {
    readRef: () => ({ sha: world.ref, now: world.now }),
    readFile: (sha, path) => world.commits[sha ?? ""]?.files[path] ?? null,
    commit: (parent, files, message) => {
      const whole = { ...(parent === null ? {} : world.commits[parent]?.files), ...files };
      // As git does: the same content is the same commit, whoever makes it.
      const content = JSON.stringify([parent, whole, message]);
      const sha = createHash("sha1").update(content).digest("hex");
      set({ commits: { ...world.commits, [sha]: { parent, files: whole } } });
      return sha;
    },
    move: (from, to) => {
      const isTaken = from === null ? world.ref !== null : !isAncestor(world.ref ?? "", to);
      if (isTaken || (from !== null && world.ref === null)) {
        return { type: "refused", reason: "Update is not a fast forward", isRace: true };
      }
      moveTo(to);
      return { type: "moved" };
    },
    listRefs: () => [],
    contains: (head, sha) => isAncestor(sha, head),
    pause: (attempt) => attempt < 4,
    poll: ({ jobId }) => {
      const job = world.accepted.find((it) => it.job === jobId);
      const nothing = { prLink: null, branch: null };
      if (job === undefined) return { type: "unknown", status: "unknown", ...nothing };
      return { type: job.outcome, status: job.outcome, ...nothing };
    },
    readPullRequest: () => ({ state: "open", lastCommitAt: "" }),
    choose: (edit: LedgerEdit) => takeFound(edit, world.landed),
    send: ({ changes }) => {
      const job = `job-${world.accepted.length + 1}`;
      const keys = changes.map(({ key }) => key);
      set({ accepted: [...world.accepted, { job, keys, outcome: "done" }] });
      return {
        sent: { type: "accepted", jobId: job, isFollowUp: false },
        isLast: false,
        isKeyRefused: false,
      };
    },
    wait: () => null,
    commentOn: (untold) => untold.map(({ change }) => change.key),
    remember: (memory) => set({ memories: { ...world.memories, [run]: JSON.stringify(memory) } }),
    readDashboard: (number) => {
      if (!world.hasIssues) return { type: "refused", reason: "no permission" };
      const issue = world.issues.find((it) => it.number === number && !it.isDeleted);
      return issue === undefined ? { type: "gone" } : { type: "issue", issue };
    },
    findDashboard: () => world.issues.find((it) => !it.isDeleted)?.number ?? null,
    openDashboard: (body) => {
      const number = world.issues.length + 1;
      const issue = {
        number,
        body,
        isLabelled: true,
        isClosed: false,
        closedBy: "",
        closedAt: "",
        isDeleted: false,
      };
      set({ issues: [...world.issues, issue] });
      return { number };
    },
    writeDashboard: (number, body) => {
      set({ issues: world.issues.map((it) => (it.number === number ? { ...it, body } : it)) });
    },
  };
}
