/** What the results of acts mean for a docs pull request: for its entry, and for what is said about it. Pure. */

import type { ActResult, DoneAct, LandActKey, TrackedPull } from "./acts.ts";
import type { PullReading, UnreadPull } from "./facts.ts";
import type { Ended, Entry } from "./ledger.ts";
import { closedToFollowUps, isAction, person, type Step, wait } from "./step.ts";

const AGAIN = wait("The next run tries again.");
const QUEUED = wait("It was put into the merge queue.");
const UPDATED = wait(
  "GitHub brings its branch up to date with its base, and the next run goes on.",
);
const MAYBE_SENT = wait("The follow-up may have been received. The next run checks the result.");

/** An entry after an act, as far as an open docs pull request is concerned. Applied twice, it changes nothing more. */
export function entryAfter(entry: Entry, type: LandActKey["type"], result: ActResult): Entry {
  if (type === "follow-up") return afterFollowUp(entry, result);
  if (type === "release") return { ...entry, intent: null };
  switch (result.type) {
    case "set-up":
      return {
        ...entry,
        isSetUp: result.isComplete,
        asked: [...new Set([...entry.asked, ...result.asked])],
      };
    case "preview":
      return { ...entry, preview: result.preview };
    case "unmergeable":
    case "unclosable": {
      const { reason, circumstances } = result;
      const at = entry.intent?.at ?? entry.headAt;
      const act = result.type === "unmergeable" ? "merge" : "close";
      return { ...entry, needs: reason, refused: { act, at, circumstances, reason } };
    }
    case "queued":
      return { ...entry, queued: result.head, needs: null };
    case "updated":
      return afterUpdate(entry, result.head);
    case "locked":
      return { ...entry, isClosedToComments: true };
    case "reminded":
      return { ...entry, isReminded: true };
    case "commented":
      return { ...entry, comment: { digest: result.digest } };
    case "overtaken":
      return { ...entry, needs: null };
    default:
      return entry;
  }
}

function afterUpdate(entry: Entry, head: string): Entry {
  const { updated, headAt } = entry;
  if (updated.some((update) => update.head === head)) return entry;
  return { ...entry, updated: [...updated, { head, headAt }], needs: null };
}

/** The intended follow-up is taken out, so that it counts once. */
function afterFollowUp(entry: Entry, result: ActResult): Entry {
  const { intent, followUps, sent } = entry;
  if (intent === null || intent.followUp === null) return entry;
  const { about, head, problems } = intent.followUp;
  const after = { ...entry, intent: { ...intent, followUp: null } };
  switch (result.type) {
    case "accepted":
    case "uncertain": {
      const isUncertain = result.type === "uncertain";
      const followUp = { at: intent.at, about, head, isUncertain };
      return { ...after, followUps: [...followUps, followUp], sent: [...sent, ...problems] };
    }
    case "refused":
      if (result.by === "key") return after;
      return { ...after, isClosedToFollowUps: true, needs: closedToFollowUps(about) };
    default:
      return after;
  }
}

/** An entry after the acts on its docs pull request. */
export function entryAfterAll(entry: Entry, done: readonly DoneAct[]): Entry {
  return done.reduce((before, { act, result }) => entryAfter(before, act.type, result), entry);
}

/** A step after the acts on its docs pull request: what is said in its place if it did not work out. */
export function stepAfter(step: Step, done: readonly DoneAct[]): Step {
  const result = done.find(({ act }) => act.type === step.type)?.result;
  if (result === undefined || !isAction(step)) return step;
  switch (result.type) {
    case "accepted":
    case "merged":
    case "closed":
      return step;
    case "queued":
      return QUEUED;
    case "updated":
      return UPDATED;
    case "unmergeable":
    case "unclosable":
      return person(result.reason);
    case "refused": {
      const isClosed = result.by !== "key" && step.type === "follow-up";
      return isClosed ? person(closedToFollowUps(step.about)) : AGAIN;
    }
    case "uncertain":
      return step.type === "follow-up" ? MAYBE_SENT : AGAIN;
    default:
      return AGAIN;
  }
}

/** Results of acts that the run did not begin. */
const NOT_BEGUN: readonly ActResult["type"][] = ["withdrawn", "outdated"];

/** What the reading of a docs pull request lets the log and the summary say. */
export type ReportedReading =
  /** `seen`: the repositories that they may name. */
  | { readonly type: "read"; readonly seen: readonly string[] }
  | Pick<UnreadPull, "type" | "plainReason">;

/** A docs pull request at the end of a run. */
export interface ReportedPull {
  readonly entry: Entry;
  readonly state: "open" | Ended["state"];
  /** What was done about it, or why nothing was. */
  readonly step: Step;
  /** Why it needed a person when the run began; null if it did not. */
  readonly needed: string | null;
  readonly reading: ReportedReading;
  /** What this run did to it: merged, closed, or sent a follow-up. Null for none of these. */
  readonly achieved: "merged" | "closed" | "accepted" | null;
}

/** @param done the acts on this docs pull request */
export function reportedPull(
  { entry, reading, step, needed }: TrackedPull,
  done: readonly DoneAct[],
): ReportedPull {
  const achieved = done.map(({ result }) => result.type).find(isAchievement) ?? null;
  const ended = achieved === "merged" || achieved === "closed" ? achieved : null;
  // What was not begun is still to be done.
  const isBegun = done.some(({ result }) => !NOT_BEGUN.includes(result.type));
  return {
    entry: entryAfterAll(entry, done),
    state: ended ?? (reading.type === "read" ? reading.facts.pull.state.type : "open"),
    step: isBegun ? stepAfter(step, done) : step,
    needed,
    reading: reportedReading(reading),
    achieved,
  };
}

function reportedReading(reading: PullReading): ReportedReading {
  if (reading.type === "read") return { type: "read", seen: reading.facts.sight.inLog };
  return { type: "unread", plainReason: reading.plainReason };
}

function isAchievement(type: ActResult["type"]): type is NonNullable<ReportedPull["achieved"]> {
  return type === "merged" || type === "closed" || type === "accepted";
}
