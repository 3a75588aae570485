import type { Fault } from "./fault.ts";
import type { Row, Times } from "./row.ts";

const PATIENT = 30 * 60_000;
/** How long polls may fail, in milliseconds. */
const UNWELL = 5 * 60_000;
/** The time limit of a run in which something goes on for good, in real milliseconds. */
const SHORT = 2_000;
/** What a run may take on a busy machine besides the time that it waits, in real milliseconds. */
const WORK = 27_000;

/** How fast time goes for a step, and how much of it there is. */
export interface Pace {
  /** How much faster the step's clock runs. */
  fastClock: number;
  /** `timeout-minutes`, in milliseconds of the step's own clock. */
  timeout: number;
  /** Real milliseconds after which the run must be over. */
  within: number;
}

export function paceOf(row: Row, fault: Fault | null, times: Times): Pace {
  const fastClock = fault === null ? 1 : clockOf(row, fault, times);
  const isTwice = ["poll-patiently", "list-jobs", "edit-comment"].includes(row.purpose);
  return {
    fastClock,
    timeout: fault === null ? PATIENT : timeoutOf(row, fault, times, fastClock),
    within: (isTwice ? 2 : 1) * WORK + SHORT,
  };
}

function timeoutOf(row: Row, fault: Fault, times: Times, fastClock: number): number {
  if (row.purpose === "poll-patiently") return 2 * UNWELL;
  const isShort = times === "for good" || fault.kind.endsWith(" beyond");
  const isBounded = row.purpose === "list-jobs" || isBusyMinute(row, fault);
  const isSlow = row.purpose === "question" && fault.name.startsWith("slow");
  const isLimited = isSlow || (row.host === "service" && isShort && !isBounded);
  return isLimited ? SHORT * fastClock : PATIENT;
}

function clockOf(row: Row, fault: Fault, times: Times): number {
  if (row.purpose === "list-jobs") return 20;
  if (row.purpose === "poll-patiently") return 100;
  const isLimit = row.host === "github" && fault.kind.startsWith("429");
  if (isLimit) return 20;
  if (isBusyMinute(row, fault) && times === "for good") return 20;
  // GitHub is asked again after seconds. How long a host is away is measured in real time.
  const isWaiting = row.host === "github" && fault.way.type !== "refuse";
  return Math.max(fault.fastClock, isWaiting ? 4 : 1);
}

/** The job of a conversation may be busy for a minute, which must not be the run's last. */
function isBusyMinute({ purpose }: Row, { kind }: Fault): boolean {
  return purpose === "continue" && kind === "409";
}
