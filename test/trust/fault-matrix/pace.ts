import { hostOf } from "../../support/world/servers.ts";
import type { WorldRun } from "../../support/world/world.ts";
import type { Cell } from "./cells.ts";
import { REFUSALS } from "./faults.ts";

const PATIENT = 30 * 60_000;
/** How long polls may fail, in milliseconds. */
const UNWELL = 5 * 60_000;
/** The time limit of a run in which something goes on for good, in real milliseconds. */
const SHORT = 2_000;
/** What a run may take on a busy machine besides the time that it waits, in real milliseconds. */
const WORK = 27_000;

/** Rows in which more is waited for. */
const SLOW = ["poll for five minutes", "list of jobs", "edit comment"];

/** Real milliseconds after which the run must be over. */
export function limitOf({ row }: Cell): number {
  return (SLOW.includes(row.name) ? 2 : 1) * WORK + SHORT;
}

/** How fast time goes for a step, how much of it there is, and real delays of 20 to 400 ms between two polls. */
export function paceOf(cell: Cell): WorldRun {
  const { action = "root" } = cell.row.run;
  const fastClock = clockOf(cell);
  const isPolling = action === "root" || action === "deploy";
  const hasLimit = isPolling || action === "assistant";
  const limit = { "timeout-minutes": String(timeoutOf(cell, fastClock) / 60_000) };
  const delays = {
    "poll-interval-seconds": String(0.02 * fastClock),
    "poll-max-interval-seconds": String(0.4 * fastClock),
  };
  const inputs = { ...(hasLimit ? limit : {}), ...(isPolling ? delays : {}) };
  return { fastClock, limitMs: 2 * limitOf(cell), inputs };
}

/** In milliseconds of the step's own clock. */
function timeoutOf(cell: Cell, fastClock: number): number {
  const { row, fault, times } = cell;
  if (fault.way.type === "none") return PATIENT;
  if (row.name === "poll for five minutes") return 2 * UNWELL;
  const isSlow = row.role === "question" && fault.name.startsWith("slow");
  const isOver = isRefusal(fault);
  const isShort = (times === "for good" && !isOver) || fault.kind === "429 beyond";
  const isLimited = hostOf(row.route) === "service" && isShort;
  return isSlow || isLimited ? SHORT * fastClock : PATIENT;
}

/** Whether a fault ends the run at once. A job may be busy, and its record late. */
function isRefusal({ kind }: Cell["fault"]): boolean {
  return REFUSALS[kind] !== undefined && !["404", "409"].includes(kind);
}

function clockOf(cell: Cell): number {
  const { row, fault } = cell;
  if (fault.way.type === "none") return 1;
  if (row.name === "poll for five minutes") return isRefusal(fault) ? 1 : 100;
  // Its last try has what is left of a minute and a half.
  if (row.name === "list of jobs") return 10;
  if (hostOf(row.route) === "service") return fault.fastClock;
  // GitHub is asked again after seconds, and after a minute if a limit is reached. How long it is away once is real.
  if (fault.way.type === "refuse" && cell.times === "once") return 1;
  return fault.kind.startsWith("429") ? 20 : Math.max(fault.fastClock, 4);
}
