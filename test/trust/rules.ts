import type { Fault, Nature } from "./fault.ts";
import type { Purpose, Row } from "./row.ts";
import type { Times } from "./stage.ts";

/** What a run's comment says at the end. */
export type CommentState =
  | "none"
  /** That the agent is at work. */
  | "working"
  /** How the job ended. */
  | "ended"
  /** What went wrong. */
  | "error";

/** From the fewest to the most. */
export type Range = readonly [least: number, most: number];

/** What has to come of a cell. */
export interface Expectation {
  /** Any of these; empty means that the step succeeds. */
  errorKind: readonly string[];
  /** Any of these for the output `status`; empty means that it is not told. */
  status: readonly string[];
  /** How often the request may arrive. */
  arrives: Range;
  /** How many requests for a new job may arrive, those that were refused not counted. */
  creates: Range;
  comments: readonly CommentState[];
  warnings: Range;
  /** What a warning, or the error, has to mention. */
  mentions: readonly string[];
  /** `timeout-minutes`, in milliseconds of the step's own clock. */
  timeout: number;
  /** Real milliseconds after which the run must be over. */
  within: number;
}

const MANY = Number.POSITIVE_INFINITY;
const PATIENT = 30 * 60_000;
/** How long the service may give no good answer, in milliseconds. */
const UNWELL = 5 * 60_000;
/** The time limit of a run in which something goes on for good, in real milliseconds. */
const SHORT = 3_000;
/** What a run may take on a busy machine besides the time that it is told to wait. */
const WORK = 10_000;

/** Everything goes well in spite of the fault. */
function fine(purpose: Purpose): Expectation {
  const isNone = [
    "message",
    "continue",
    "look-taken-up",
    "look-patiently",
    "list-jobs",
    "question",
  ];
  const isList = purpose === "list-jobs";
  const isSilent = isList || purpose === "look-patiently";
  // A list is read until it brings nothing new.
  const arrives: Range = isList || purpose === "list-v1" ? [2, 2] : [1, 1];
  return {
    errorKind: [],
    status: isList ? [] : ["completed"],
    arrives,
    creates: isNone.includes(purpose) ? [0, 0] : [1, 1],
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
  const told = ruleFor(row.purpose)({ nature, fault, times, ok: fine(row.purpose) });
  const isShort =
    times === "for good" || ("retryAfter" in nature && nature.retryAfter === "beyond");
  const isSlow = row.purpose === "question" && fault.name.startsWith("slow");
  if (row.purpose === "look-patiently") return { ...told, timeout: 2 * UNWELL };
  const isBounded = ["list-v1", "list-jobs"].includes(row.purpose);
  const isLimited =
    isSlow || (row.host === "service" && isShort && !isBounded && !isPatient(row, nature));
  return {
    ...told,
    timeout: isLimited ? SHORT * fastClock(row, fault, times) : PATIENT,
    within: told.within + SHORT,
  };
}

/** The job of a conversation may be busy for a minute, which must not be the run's last. */
function isPatient({ purpose }: Row, nature: Nature): boolean {
  return purpose === "continue" && nature.type === "status" && nature.status === 409;
}

/** How much faster the step's clock runs. */
export function fastClock(row: Row, fault: Fault, times: Times): number {
  const isMinute = isPatient(row, fault.nature) && times === "for good";
  if (["list-v1", "list-jobs"].includes(row.purpose)) return 10;
  if (row.purpose === "look-patiently") return 100;
  return isMinute ? 20 : fault.fastClock;
}

function natureFor({ host, isList }: Row, { name, nature }: Fault): Nature {
  if (isList && name === "array") return { type: "good" };
  // GitHub's client goes by the content type.
  if (host === "github" && name === "wrong content type") return { type: "unreadable" };
  if (host === "github" && name === "oversized") return { type: "lost" };
  return nature;
}

interface Case {
  nature: Nature;
  fault: Fault;
  times: Times;
  ok: Expectation;
}

type Rule = (it: Case) => Expectation;

function ruleFor(purpose: Purpose): Rule {
  switch (purpose) {
    case "create":
      return starting("create");
    case "create-v1":
      return creatingV1;
    case "list-v1":
      return findingV1;
    case "list-jobs":
      return listing;
    case "question":
      return asking;
    case "message":
      return starting("message");
    case "continue":
      return continuing;
    case "look":
    case "look-taken-up":
      return looking(purpose === "look");
    case "look-patiently":
      return lookingPatiently;
    case "permission":
      return permission;
    case "find-comment":
      return findComment;
    case "create-comment":
      return createComment;
    case "edit-comment":
      return editComment;
    case "reaction":
      return aside(["none"], false);
    case "changed-files":
      return aside(["none"], true);
    case "find-invitation":
      return aside(["ended"], true);
    case "invitation":
      return aside(["ended"], false);
  }
}

/** Creating and messaging: what may have been received is never sent again. */
const starting =
  (purpose: "create" | "message"): Rule =>
  ({ nature, times, ok }) => {
    const once = times === "once";
    const ends = (errorKind: string | string[], arrives: Range, more = {}): Expectation => ({
      ...ok,
      errorKind: [errorKind].flat(),
      status: [],
      arrives,
      creates: [0, purpose === "create" ? 1 : 0],
      comments: ["error"],
      ...more,
    });
    switch (nature.type) {
      case "good":
        return ok;
      case "unreached":
        return once ? ok : ends("service-unavailable", [0, 0]);
      case "reset-early":
        // Whether it had been sent by then is chance; that no second one arrives is not.
        return once
          ? { ...ends(["", "create-uncertain"], [0, 1]), ...either(ok) }
          : ends(["create-uncertain", "service-unavailable"], [0, 0]);
      case "lost":
        return ends("create-uncertain", [1, 1]);
      case "unreadable":
        return ends("invalid-response", [1, 1]);
      case "redirect":
        return ends("invalid-response", [1, 1], { mentions: ["base-url"] });
      case "status":
        return startingByStatus();
    }

    function startingByStatus(): Expectation {
      const { status, retryAfter } = nature as Nature & { type: "status" };
      const [busy, waits] = [status === 409 && purpose === "message", retryAfter !== "beyond"];
      if (status === 429) {
        const limited = { mentions: ["100", "hour"] };
        if (!waits) return ends("rate-limited", [1, 1], limited);
        return once ? { ...ok, arrives: [2, 2] } : ends("rate-limited", [2, 40], limited);
      }
      if (status === 503 && retryAfter === "soon") {
        return once ? { ...ok, arrives: [2, 2] } : ends("service-unavailable", [2, 6]);
      }
      if (busy) return once ? { ...ok, arrives: [2, 2] } : ends("bad-request", [2, 40]);
      return ends(refusalKind(status), [1, 1]);
    }
  };

/** Version 1: once the headers have named the job, its stream may do what it likes. */
const creatingV1: Rule = (it) => {
  const { nature, fault, ok } = it;
  const isNamed = fault.isDone && nature.type !== "status" && !isAnonymous(fault);
  if (isNamed) return { ...ok, warnings: [0, 1] };
  return starting("create")(it);
};

/** Faults that take the headers of the answer away as well. */
function isAnonymous({ name }: Fault): boolean {
  return /^(reset|closed|slow headers|empty|null|array)/.test(name);
}

/** The job was started and has no name: found in the list, or told to be there somewhere. */
const findingV1: Rule = ({ nature, fault, times, ok }) => {
  if (nature.type === "good") return ok;
  const lost: Expectation = {
    ...ok,
    ...{ errorKind: ["invalid-response", "create-uncertain"], status: [], comments: ["error"] },
    arrives: [0, 40],
  };
  // All of the time that there is for it can go by in one slow answer.
  const isMore = times === "once" && isPassingLook(nature) && !fault.name.startsWith("slow");
  return isMore ? { ...ok, arrives: [2, 3] } : lost;
};

/** What is only read may be asked for again, four times in all. */
const listing: Rule = ({ nature, times, ok }) => {
  const ends = (errorKind: string): Expectation => ({
    ...ok,
    ...{ errorKind: [errorKind], arrives: [0, 4], comments: ["none"], within: 2 * WORK },
  });
  switch (nature.type) {
    case "good":
      return ok;
    case "redirect":
      return { ...ends("invalid-response"), mentions: ["base-url"] };
    default: {
      const isFar = nature.type === "status" && nature.retryAfter === "beyond";
      if (times === "once" && isPassingLook(nature) && !isFar) return { ...ok, arrives: [2, 3] };
    }
  }
  if (nature.type === "unreadable") return ends("invalid-response");
  if (nature.type !== "status") return ends("service-unavailable");
  if (nature.status === 429) return ends("rate-limited");
  return ends(isPassingLook(nature) ? "service-unavailable" : refusalKind(nature.status));
};

/** A question has no memory at the service; what has begun to be answered is kept, and not asked again. */
const asking: Rule = (it) => {
  const { nature, fault, ok } = it;
  const told = starting("create")(it);
  const isFine = told.errorKind.length === 0;
  if (isFine || fault.name === "oversized") return { ...ok, arrives: told.arrives };
  const failed: Expectation = {
    ...told,
    ...{ status: ["failed"], creates: [0, 0] },
    errorKind: told.errorKind.map((kind) =>
      kind.replace("create-uncertain", "service-unavailable"),
    ),
  };
  if (nature.type === "status" && nature.status === 429) return { ...failed, mentions: ["10,000"] };
  if (fault.name.startsWith("slow")) return { ...failed, errorKind: ["timeout"] };
  if (fault.name === "half a body") return { ...failed, errorKind: ["stream-interrupted"] };
  if (fault.name === "wrong length") {
    // Half an answer is one that breaks off, unless nothing of it can be read.
    return { ...failed, errorKind: ["stream-interrupted", "invalid-response"] };
  }
  if (nature.type === "reset-early") return { ...failed, status: ["failed", "completed"] };
  return failed;
};

/** Whether a look that came to this is followed by another. */
function isPassingLook(nature: Nature): boolean {
  if (nature.type !== "status") return nature.type !== "redirect";
  return [408, 425, 429].includes(nature.status) || nature.status >= 500;
}

/** Statuses that refuse the request; after any other the job may exist. */
function refusalKind(status: number): string {
  switch (status) {
    case 400:
    case 409:
    case 422:
      return "bad-request";
    case 401:
      return "unauthorized";
    case 403:
      return "forbidden";
    case 404:
    case 410:
      return "not-found";
    default:
      return "create-uncertain";
  }
}

function either(ok: Expectation): Partial<Expectation> {
  return { status: ["", ...ok.status], comments: ["error", ...ok.comments] };
}

/** A follow-up to a conversation: a job that is unknown, unwilling or busy for a minute is replaced. */
const continuing: Rule = (it) => {
  const { nature, times, ok } = it;
  const status = nature.type === "status" ? nature.status : 0;
  const replaced: Expectation = { ...ok, creates: [1, 1] };
  if ([400, 404, 410].includes(status)) return replaced;
  if (status === 409 && times === "for good") return { ...replaced, arrives: [5, 20] };
  return starting("message")(it);
};

/** A look may be repeated: what passes is waited out. */
const looking =
  (isNew: boolean): Rule =>
  ({ nature, times, ok }) => {
    const once = times === "once";
    const status = isNew ? ["active"] : [];
    const ends = (errorKind: string, more = {}): Expectation => ({
      ...ok,
      ...{ errorKind: [errorKind], status, comments: ["error"] },
      ...more,
    });
    const isReceived = nature.type !== "unreached" && nature.type !== "reset-early";
    const passes: Expectation = once
      ? { ...ok, arrives: isReceived ? [2, 2] : [1, 1], warnings: [2, 2] }
      : ends("timeout", { arrives: isReceived ? [1, MANY] : [0, 0], warnings: [1, 1] });
    switch (nature.type) {
      case "good":
        return ok;
      case "redirect":
        return ends("invalid-response", { mentions: ["base-url"] });
      case "status":
        break;
      default:
        return passes;
    }
    if (isPassingLook(nature)) return passes;
    if (nature.status === 404 && isNew) return { ...passes, warnings: [0, 0] };
    return ends(refusalKind(nature.status));
  };

/** Five minutes without a good answer are enough, unless the service itself asks for more. */
const lookingPatiently: Rule = (it) => {
  const told = looking(false)(it);
  const isFar = it.nature.type === "status" && it.nature.retryAfter === "beyond";
  const isUnwell = told.errorKind.includes("timeout");
  return {
    ...told,
    ...(isUnwell && { errorKind: ["service-unavailable", ...(isFar ? ["timeout"] : [])] }),
    ...{ comments: ["none"], warnings: [0, MANY], arrives: [0, MANY], within: 2 * WORK },
  };
};

/** Permission fails closed: nothing is started for somebody who may not ask. */
const permission: Rule = ({ nature, times, ok }) => {
  if (nature.type === "good") return ok;
  if (times === "once" && isReadAgain(nature)) return { ...ok, arrives: [1, 2] };
  const sent: Range = ["unreached", "reset-early"].includes(nature.type) ? [0, 0] : [1, 1];
  return {
    ...ok,
    ...{
      status: ["skipped"],
      arrives: [sent[0], 2 * sent[1]],
      creates: [0, 0],
      comments: ["none"],
    },
    mentions: numberOf(nature),
  };
};

/** Whether the same call may succeed a moment later. */
function isPassing({ type, ...nature }: Nature): boolean {
  if (type === "status") return "status" in nature && nature.status >= 500;
  return type !== "redirect" && type !== "good";
}

/** Whether what was to be read is read once more. */
function isReadAgain(nature: Nature): boolean {
  return isPassing(nature) && nature.type !== "unreadable";
}

function isConnection({ type }: Nature): boolean {
  return type === "unreached" || type === "reset-early";
}

/** A refusal is told with its number and, where one is lacking, the permission. */
function numberOf(nature: Nature): string[] {
  return "status" in nature ? [String(nature.status)] : [];
}

function refusedBy(nature: Nature): string[] {
  const isLack = nature.type === "status" && [403, 404, 422].includes(nature.status);
  return [...numberOf(nature), ...(isLack ? ["write"] : [])];
}

/** Finding the job of an earlier attempt is worth another try: else a second one is started. */
const findComment: Rule = ({ nature, times, ok }) => {
  const found: Expectation = { ...ok, creates: [0, 0], arrives: [0, 3], warnings: [0, 1] };
  if (nature.type === "good") return { ...found, creates: [0, 1] };
  if (times === "once" && isReadAgain(nature)) return found;
  const comments: CommentState[] = isConnection(nature) ? ["working"] : ["ended"];
  return { ...ok, comments, arrives: [0, MANY], warnings: [1, MANY], mentions: numberOf(nature) };
};

/** A comment may stand there once, however GitHub answers; what is lost track of is found again. */
const createComment: Rule = ({ nature, fault, times, ok }) => {
  if (nature.type === "good") return ok;
  const told: Expectation = { ...ok, arrives: [0, 4], warnings: [1, MANY] };
  if (fault.isDone || (times === "once" && isPassing(nature))) return { ...told, warnings: [0, 2] };
  const comments: CommentState[] = nature.type === "redirect" ? ["none", "ended"] : ["none"];
  return { ...told, comments, mentions: refusedBy(nature) };
};

/** An edit may be repeated, and is, while that can help. */
const editComment: Rule = ({ nature, fault, times, ok }) => {
  if (nature.type === "good") return ok;
  const told: Expectation = { ...ok, arrives: [0, 3], warnings: [0, 1] };
  if (fault.isDone || (times === "once" && isPassing(nature))) return told;
  if (nature.type === "redirect" && times === "once")
    return { ...told, comments: ["working", "ended"] };
  return { ...told, comments: ["working"], warnings: [1, 1], mentions: refusedBy(nature) };
};

/** What GitHub refuses besides: a warning, and nothing else is changed. */
const aside =
  (comments: readonly CommentState[], isRead: boolean): Rule =>
  ({ nature, times, ok }) => {
    const told: Expectation = { ...ok, comments, arrives: [0, 4], warnings: [0, 2] };
    // Which of the calls at the end of a run a connection carries is chance.
    if (isConnection(nature)) {
      return { ...told, warnings: [0, 4], comments: [...comments, "working"] };
    }
    if (isRead && times === "once" && isReadAgain(nature)) return told;
    if (nature.type !== "redirect" && nature.type !== "status") return told;
    return { ...told, warnings: [1, 2], mentions: numberOf(nature) };
  };
