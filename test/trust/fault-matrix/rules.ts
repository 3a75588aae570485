import type { Times } from "./cell-setup.ts";
import { type Expectation, type Range, type Rule, WORK } from "./expectation.ts";
import type { Fault, Nature } from "./fault.ts";
import type { Purpose, Row } from "./row.ts";
import {
  finishing,
  finishingText,
  listingComments,
  pollingOnce,
  readingAgain,
} from "./rules-collect.ts";
import {
  aside,
  createComment,
  editComment,
  findComment,
  isLimit,
  permission,
} from "./rules-github.ts";
import {
  asking,
  continuing,
  creatingV1,
  listing,
  polling,
  pollingPatiently,
  starting,
} from "./rules-service.ts";

const PATIENT = 30 * 60_000;
/** How long the service may give no good answer, in milliseconds. */
const UNWELL = 5 * 60_000;
/** The time limit of a run in which something goes on for good, in real milliseconds. */
const SHORT = 2_000;

/** Everything goes well in spite of the fault. */
function fine(purpose: Purpose): Expectation {
  const isNone = [
    "message",
    "continue",
    "poll-taken-up",
    "poll-patiently",
    "list-jobs",
    "question",
  ];
  const isList = purpose === "list-jobs";
  const isSweep = purpose.startsWith("collect-");
  const isSilent = isList || purpose === "poll-patiently";
  // A list is read until it brings nothing new.
  const arrives: Range = isList ? [2, 2] : [1, 1];
  return {
    errorKind: [],
    status: isList || isSweep ? [] : ["completed"],
    arrives,
    creates: isSweep || isNone.includes(purpose) ? [0, 0] : [1, 1],
    comments: [isSilent ? "none" : "ended"],
    warnings: [0, 0],
    mentions: [],
    timeout: PATIENT,
    within: WORK,
  };
}

/** What the design says about a fault that strikes a request, once or for good. */
export function expectation(row: Row, fault: Fault, times: Times): Expectation {
  const nature = natureFor(row, fault);
  const outcome = RULES[row.purpose]({ nature, fault, times, ok: fine(row.purpose) });
  const isShort =
    times === "for good" || ("retryAfter" in nature && nature.retryAfter === "beyond");
  const isSlow = row.purpose === "question" && fault.name.startsWith("slow");
  if (row.purpose === "poll-patiently") return { ...outcome, timeout: 2 * UNWELL };
  const isBounded = row.purpose === "list-jobs";
  const isLimited =
    isSlow || (row.host === "service" && isShort && !isBounded && !isPatient(row, nature));
  return {
    ...outcome,
    timeout: isLimited ? SHORT * fastClock(row, fault, times) : PATIENT,
    within: outcome.within + SHORT,
  };
}

/** The job of a conversation may be busy for a minute, which must not be the run's last. */
function isPatient({ purpose }: Row, nature: Nature): boolean {
  return purpose === "continue" && nature.type === "status" && nature.status === 409;
}

/** How much faster the step's clock runs. */
export function fastClock(row: Row, fault: Fault, times: Times): number {
  const isMinute = isPatient(row, fault.nature) && times === "for good";
  if (row.purpose === "list-jobs") return 20;
  if (row.purpose === "poll-patiently") return 100;
  const isCollect = row.purpose.startsWith("collect-");
  if (row.host === "github" && isLimit(fault.nature) && !isCollect) return 20;
  if (isMinute) return 20;
  // GitHub is asked again after seconds. How long a host is away is measured in real time.
  const isWaiting = row.host === "github" && fault.way.type !== "refuse";
  return Math.max(fault.fastClock, isWaiting ? 4 : 1);
}

function natureFor({ host, isList }: Row, { name, nature }: Fault): Nature {
  if (isList && name === "array") return { type: "good" };
  // GitHub's client goes by the content type.
  if (host === "github" && name === "wrong content type") return { type: "unreadable" };
  if (host === "github" && name === "oversized") return { type: "lost" };
  return nature;
}

const RULES: Record<Purpose, Rule> = {
  create: starting("create"),
  "create-v1": creatingV1,
  "list-jobs": listing,
  question: asking,
  message: starting("message"),
  continue: continuing,
  poll: polling(true),
  "poll-taken-up": polling(false),
  "poll-patiently": pollingPatiently,
  permission,
  "find-comment": findComment,
  "create-comment": createComment,
  "edit-comment": editComment,
  reaction: aside(["none"], false),
  "changed-files": aside(["none"], true),
  "find-invitation": aside(["ended"], true),
  invitation: aside(["ended"], false),
  "collect-list": listingComments,
  "collect-poll": pollingOnce,
  "collect-find-invitation": finishing(true),
  "collect-invitation": finishing(false),
  "collect-reaction": finishing(false),
  "collect-read": readingAgain,
  "collect-edit": finishingText,
};
