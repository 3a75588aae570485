/** What the dashboard shows beside the ledger; the body's marker keeps it from run to run. */

import * as z from "zod/mini";
import type { BatchNow } from "../ledger/model/claim-now.ts";
import { MarkerSize } from "../ledger/model/marker-size.ts";
import type { LedgerState } from "../ledger/model/read-ledger.ts";
import { keyOfLink } from "./changes.ts";
import { isRecent } from "./coverage.ts";
import { type UpkeepChange, upkeepChangeShape } from "./ledger-change.ts";
import type { PassedOver } from "./read-changes.ts";

export interface Shown {
  /** Oldest first. */
  waiting: UpkeepChange[];
  /** How many more wait, and how many of these landed in the days that coverage counts. */
  more: { count: number; recent: number };
  passedOver: PassedOver[];
  /** Keys of the pull requests that the agent opened, the newest last. */
  own: string[];
}

const shownShape: z.ZodMiniType<Shown> = z.object({
  waiting: z.array(upkeepChangeShape),
  more: z.object({ count: z.number(), recent: z.number() }),
  passedOver: z.array(
    z.object({
      ...{ key: z.string(), title: z.string(), url: z.string() },
      ...{ landedAt: z.number(), why: z.string() },
    }),
  ),
  own: z.array(z.string()),
});

/** What the body's marker kept; nothing, if it kept nothing that can be read. */
export function readShown(kept: unknown): Shown {
  // As it was written, and not as it was parsed: what is compared with it has its fields in this order.
  return shownShape.safeParse(kept).success ? (kept as Shown) : NOTHING_SHOWN;
}

export const NOTHING_SHOWN: Shown = {
  waiting: [],
  more: { count: 0, recent: 0 },
  passedOver: [],
  own: [],
};

/** How many waiting changes are named. */
export const MAX_WAITING = 60;
export const MAX_PASSED_OVER = 20;
/** Of the agent's pull requests; they wait for a merge much shorter than this many others take. */
const MAX_OWN = 200;
/** Characters of the marker for all of it. */
const MAX_MARKER = 6_000;

/** What the marker keeps: as much as there is room for, and of the rest how many. */
export function keptShown(shown: Shown, now: number): Shown {
  const size = new MarkerSize();
  const own = shown.own.slice(-MAX_OWN);
  let left = MAX_MARKER - size.add(own);
  const fits = (item: unknown): boolean => {
    if (left >= 0) left -= size.add(item);
    return left >= 0;
  };
  const passedOver = shown.passedOver.slice(0, MAX_PASSED_OVER).filter(fits);
  const waiting = shown.waiting.slice(0, MAX_WAITING).filter(fits);
  const rest = shown.waiting.slice(waiting.length);
  const more = {
    count: shown.more.count + rest.length,
    recent: shown.more.recent + rest.filter((change) => isRecent(change, now)).length,
  };
  return { waiting, more, passedOver, own };
}

/** The newest of what was passed over, without repeating. */
export function mergePassedOver(
  before: readonly PassedOver[],
  found: readonly PassedOver[],
): PassedOver[] {
  const byKey = new Map([...before, ...found].map((it) => [it.key, it]));
  return [...byKey.values()].sort((a, b) => b.landedAt - a.landedAt).slice(0, MAX_PASSED_OVER);
}

/** The agent's own pull requests: those known before, and those that the ledger tells of. */
export function ownPullRequests(
  before: readonly string[],
  { claims }: Pick<LedgerState<UpkeepChange>, "claims">,
): string[] {
  const keyOf = ({ batch: { prLink } }: BatchNow<UpkeepChange>) =>
    prLink === null ? [] : (keyOfLink(prLink) ?? []);
  const told = claims.flatMap(({ batches }) => batches.flatMap(keyOf));
  return [...new Set([...before, ...told])].slice(-MAX_OWN);
}
