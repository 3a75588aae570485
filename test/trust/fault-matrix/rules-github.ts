import {
  type CommentState,
  type Expectation,
  MANY,
  type Range,
  type Rule,
  WORK,
} from "./expectation.ts";
import type { Nature } from "./fault.ts";

/** Permission fails closed: nothing is started for somebody who may not ask, and what passes fails the step. */
export const permission: Rule = ({ nature, times, ok }) => {
  if (nature.type === "good") return ok;
  if (times === "once" && isAskedAgain(nature)) return { ...ok, arrives: [0, 2] };
  const isLoud = isPassing(nature) || isLimit(nature) || nature.type === "redirect";
  const loud = { errorKind: ["github-unavailable"], status: [] };
  // An answer of another shape names no permission, or cannot be read.
  const either = { errorKind: ["", "github-unavailable"], status: ["", "skipped"] };
  const isEither = nature.type === "unreadable";
  return {
    ...ok,
    ...(isEither ? either : isLoud ? loud : { status: ["skipped"] }),
    arrives: [isConnection(nature) ? 0 : 1, isLimit(nature) ? MANY : 2],
    creates: [0, 0],
    comments: ["none"],
    mentions: numberOf(nature),
  };
};

/** Whether the same call may succeed a moment later. */
export function isPassing({ type, ...nature }: Nature): boolean {
  if (type === "status") return "status" in nature && nature.status >= 500;
  return type !== "redirect" && type !== "good";
}

/** Whether what was to be read is read once more. */
export function isReadAgain(nature: Nature): boolean {
  return isPassing(nature) && nature.type !== "unreadable";
}

/** Whether GitHub takes no more requests for now: the root action and the assistant wait that out. */
export function isLimit(nature: Nature): boolean {
  return nature.type === "status" && nature.status === 429;
}

function isAskedAgain(nature: Nature): boolean {
  return isReadAgain(nature) || isLimit(nature);
}

/** @param usual how often a request arrives at most, unless it is for as long as there is time */
function most(nature: Nature, usual: number): number {
  return isLimit(nature) ? MANY : usual;
}

export function isConnection({ type }: Nature): boolean {
  return type === "unreached" || type === "reset-early";
}

/** A refusal is told with its number and, where one is lacking, the permission. */
export function numberOf(nature: Nature): string[] {
  return "status" in nature ? [String(nature.status)] : [];
}

function refusedBy(nature: Nature): string[] {
  const isLack = nature.type === "status" && [403, 404, 422].includes(nature.status);
  return [...numberOf(nature), ...(isLack ? ["write"] : [])];
}

/** What an earlier attempt started is not started again: without its comment, the run fails. */
export const findComment: Rule = ({ nature, times, ok }) => {
  const found: Expectation = { ...ok, creates: [0, 0], arrives: [0, 3], warnings: [0, 1] };
  if (nature.type === "good") return { ...found, creates: [0, 1] };
  if (times === "once" && isAskedAgain(nature)) return found;
  return {
    ...ok,
    errorKind: ["github-unavailable"],
    status: [],
    creates: [0, 0],
    comments: isConnection(nature) ? ["working"] : ["error"],
    arrives: [0, MANY],
    warnings: [0, MANY],
    mentions: numberOf(nature),
  };
};

/** A comment may stand there once, however GitHub answers; what is lost track of is found again. */
export const createComment: Rule = ({ nature, fault, times, ok }) => {
  if (nature.type === "good") return ok;
  const expected: Expectation = { ...ok, arrives: [0, most(nature, 4)], warnings: [1, MANY] };
  const isWritten = times === "once" && (isPassing(nature) || isLimit(nature));
  if (fault.isDone || isWritten) return { ...expected, warnings: [0, 2] };
  const comments: CommentState[] = nature.type === "redirect" ? ["none", "ended"] : ["none"];
  return { ...expected, comments, mentions: refusedBy(nature) };
};

/** A comment is edited twice: to name itself, and at the end. Each may be repeated, while that can help. */
export const editComment: Rule = ({ nature, fault, times, ok: once }) => {
  const ok: Expectation = { ...once, arrives: [2, 2], within: 2 * WORK };
  if (nature.type === "good") return ok;
  const expected: Expectation = { ...ok, arrives: [0, most(nature, 6)], warnings: [0, 2] };
  const isWritten = times === "once" && (isPassing(nature) || isLimit(nature));
  if (fault.isDone || isWritten) return expected;
  if (nature.type === "redirect" && times === "once")
    return { ...expected, comments: ["working", "ended"] };
  return { ...expected, comments: ["working"], warnings: [1, 2], mentions: refusedBy(nature) };
};

/** What GitHub refuses besides: a warning, and nothing else is changed. */
export const aside =
  (comments: readonly CommentState[], isRead: boolean): Rule =>
  ({ nature, times, ok }) => {
    const arrives: Range = [0, most(nature, 4)];
    const expected: Expectation = { ...ok, comments, arrives, warnings: [0, 2] };
    // Which of the calls at the end of a run a connection carries is chance.
    if (isConnection(nature)) {
      return { ...expected, warnings: [0, 4], comments: [...comments, "working"] };
    }
    if (times === "once" && (isLimit(nature) || (isRead && isReadAgain(nature)))) return expected;
    if (nature.type !== "redirect" && nature.type !== "status") return expected;
    return { ...expected, warnings: [1, 2], mentions: numberOf(nature) };
  };
