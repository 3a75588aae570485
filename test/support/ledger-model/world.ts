/**
 * GitHub, the service and a person as far as a run needs them, as plain data: a state can be compared, and gone on from
 * in several ways.
 */

import type { Git } from "../../../src/ledger/store.ts";
import { MINUTE } from "../../../src/runtime/clock.ts";
import type { Delivery } from "../../../src/runtime/delivery.ts";
import { type Commits, type Move, UNANSWERED } from "../memory-git.ts";

export interface World {
  /** The time by the clocks of GitHub and of all runs, in milliseconds since 1970. */
  readonly now: number;
  /** What the ref was, newest first: the last three. */
  readonly refs: readonly (string | null)[];
  /** How many items have landed. */
  readonly landed: number;
  /** How many more will land at some time. */
  readonly toLand: number;
  /** Whether a person revokes items: an item that is revoked is not to be sent. */
  readonly canRevoke: boolean;
  /** How many more items will be revoked at some time. */
  readonly toRevoke: number;
  readonly revoked: readonly number[];
  /**
   * Revoked items that a run sent although it could have known. What it cannot know is what happens between its last
   * question and the request: an item may be revoked there if the question was the call right before the request.
   */
  readonly sentRevoked: readonly number[];
  /** The items of the requests that the service accepted. */
  readonly accepted: readonly number[];
  /** Items of which no run may know whether they were received, so that only a person can find out. */
  readonly unclear: readonly number[];
  /** Items that a person was asked about although a run knew. */
  readonly askedNeedlessly: readonly number[];
}

/** The world before the first run. */
export function worldWith(landed: number, toLand: number, toRevoke: number): World {
  return {
    now: Date.parse("2026-11-22T10:00:00Z"),
    refs: [null],
    landed,
    toLand,
    canRevoke: toRevoke > 0,
    toRevoke,
    revoked: [],
    sentRevoked: [],
    accepted: [],
    unclear: [],
    askedNeedlessly: [],
  };
}

/** Longer than an intent lives. */
export const LONG = 11 * MINUTE;

/** All clocks go on: whoever is in the middle of something was suspended, or is slow. */
export function waitLong(world: World): World {
  return { ...world, now: world.now + LONG, unclear: allItems(world) };
}

/** An item lands. */
export function land(world: World): World {
  return { ...world, landed: world.landed + 1, toLand: world.toLand - 1 };
}

/** A person revokes an item. */
export function revoke(world: World, item: number): World {
  const revoked = withItems(world.revoked, [item]);
  return { ...world, toRevoke: world.toRevoke - 1, revoked };
}

export function allItems({ landed, toLand }: World): number[] {
  return Array.from({ length: landed + toLand }, (_, nth) => nth + 1);
}

/** A call of a run that other runs may notice, or by which it may notice them. */
export type Call =
  | { type: "readRef" }
  | ({ type: "move" } & Move)
  | { type: "send"; item: number }
  | { type: "ask"; items: readonly number[] }
  | { type: "readRevoked"; items: readonly number[] };

export interface Answers {
  readRef: Awaited<ReturnType<Git["readRef"]>>;
  move: Awaited<ReturnType<Git["move"]>>;
  send: Delivery<null>;
  ask: readonly number[];
  readRevoked: readonly number[];
}

export type Answer = Answers[keyof Answers];

/** How a call comes out, other than well. */
export type Fault =
  /** The answer gets lost: what was asked for was done, or was not. */
  | "its answer lost"
  | "lost"
  /** A read of the ref is answered from a copy that is one or two writes old. */
  | "stale"
  | "very stale"
  /** The service accepts nothing for now. */
  | "limited"
  /** A request to GitHub arrives late. */
  | "11 minutes late"
  /** The run made its first request long ago, and others went on before it arrived. */
  | "sent 11 minutes ago";

const STALE = ["stale", "very stale"] as const;

/** The faults that a call can meet. @param isFirst whether it is the run's first one */
export function faultsOf({ type }: Call, { refs }: World, isFirst: boolean): Fault[] {
  switch (type) {
    case "move":
      return ["its answer lost", "lost", "11 minutes late"];
    case "send":
      return ["its answer lost", "lost", "limited"];
    case "readRef":
      return [
        ...STALE.slice(0, refs.length - 1),
        isFirst ? "sent 11 minutes ago" : "11 minutes late",
      ];
    case "ask":
    case "readRevoked":
      return [];
  }
}

/** How many writes old the copy is that answers a read. */
export function ageOf(fault: Fault | null): number {
  if (fault === "stale") return 1;
  return fault === "very stale" ? 2 : 0;
}

export interface Called {
  readonly world: World;
  readonly answer: Answer;
  /** The items that the call found not to be revoked, if it asked about them. */
  readonly foundOpen: readonly number[];
}

/** Makes one call. @param foundOpen what the run's call before it found */
export function makeCall(
  world: World,
  commits: Commits,
  call: Call,
  fault: Fault | null,
  foundOpen: readonly number[],
): Called {
  if (fault === "11 minutes late") return makeCall(waitLong(world), commits, call, null, foundOpen);
  switch (call.type) {
    case "readRef": {
      const sha = world.refs[ageOf(fault)] ?? null;
      return called(world, { sha, now: world.now });
    }
    case "move": {
      if (fault === "lost") return called(world, UNANSWERED);
      const moved = move(world, commits, call);
      return fault === null ? moved : { ...moved, answer: UNANSWERED };
    }
    case "send":
      return send(world, call.item, fault, foundOpen);
    case "ask": {
      const { accepted, unclear } = world;
      const isNeedless = (item: number) => !unclear.includes(item);
      const askedNeedlessly = withItems(world.askedNeedlessly, call.items.filter(isNeedless));
      const answer = call.items.filter((item) => !accepted.includes(item));
      return called({ ...world, askedNeedlessly }, answer);
    }
    case "readRevoked": {
      const isRevoked = (item: number) => world.revoked.includes(item);
      const open = call.items.filter((item) => !isRevoked(item));
      return called(world, call.items.filter(isRevoked), open);
    }
  }
}

function called(world: World, answer: Answer, foundOpen: readonly number[] = []): Called {
  return { world, answer, foundOpen };
}

function move(world: World, commits: Commits, call: Move): Called {
  const [head = null] = world.refs;
  const answer = commits.move(head, call);
  if (answer.type !== "moved" || head === call.to) return called(world, answer);
  return called({ ...world, refs: [call.to, ...world.refs].slice(0, 3) }, answer);
}

function send(
  before: World,
  item: number,
  fault: Fault | null,
  foundOpen: readonly number[],
): Called {
  const isWrong = before.revoked.includes(item) && !foundOpen.includes(item);
  const world = isWrong
    ? { ...before, sentRevoked: withItems(before.sentRevoked, [item]) }
    : before;
  if (fault === "limited") return called(world, { type: "limited" });
  const unclear = fault === null ? world.unclear : withItems(world.unclear, [item]);
  const accepted = fault === "lost" ? world.accepted : [...world.accepted, item].sort();
  const answer: Answer =
    fault === null
      ? { type: "accepted", value: null }
      : { type: "uncertain", reason: "the connection was lost", error: null };
  return called({ ...world, accepted, unclear }, answer);
}

export function withItems(items: readonly number[], more: readonly number[]): readonly number[] {
  return [...new Set([...items, ...more])].sort();
}
