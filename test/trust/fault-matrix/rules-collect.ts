import type { Expectation, Rule } from "./expectation.ts";
import { isConnection, isLimit, isPassing, isReadAgain, numberOf } from "./rules-github.ts";

/** What a fault leaves to the next sweep: a warning, a comment that is as it was, and a step that succeeds. */
function left(ok: Expectation): Expectation {
  return { ...ok, comments: ["working"], arrives: [0, 4], warnings: [1, 3] };
}

/** Whether a request that was not made at all came to this is chance. */
function either(ok: Expectation): Expectation {
  return { ...ok, comments: ["working", "ended"], arrives: [0, 4], warnings: [0, 4] };
}

/** Without the list there is nothing that a sweep could do. */
export const listingComments: Rule = ({ nature, times, ok }) => {
  // An empty list is a good one.
  if (nature.type === "good") return { ...ok, comments: ["ended", "working"] };
  if (times === "once" && isReadAgain(nature)) return { ...ok, arrives: [0, 2] };
  return {
    ...ok,
    errorKind: ["github-unavailable"],
    comments: ["working"],
    arrives: [0, 2],
    mentions: numberOf(nature),
  };
};

/** A job is polled once. */
export const pollingOnce: Rule = ({ nature, ok }) => {
  const ends = (errorKind: string, mentions: string[] = []): Expectation => ({
    ...ok,
    errorKind: [errorKind],
    comments: ["working"],
    mentions,
  });
  switch (nature.type) {
    case "good":
      return ok;
    case "reset-early":
      return either(ok);
    case "redirect":
      return ends("invalid-response", ["base-url"]);
    case "status": {
      if (nature.status === 401) return ends("unauthorized");
      if (nature.status === 403) return ends("forbidden");
      // The comment is seconds old: the job may not be found yet.
      const isYoung = nature.status === 404 || nature.status === 410;
      if (isYoung) return { ...ok, comments: ["working"] };
      return { ...left(ok), mentions: [String(nature.status), "next run"] };
    }
    default:
      return { ...left(ok), mentions: ["next run"] };
  }
};

/** Invitation and reaction: what GitHub refuses for good is not waited for. */
export const finishing =
  (isRead: boolean): Rule =>
  ({ nature, fault, times, ok }) => {
    if (nature.type === "good") return ok;
    if (isConnection(nature)) return either(ok);
    if (isRead && times === "once" && isReadAgain(nature)) return { ...ok, arrives: [1, 3] };
    // What was done counts, and what a reaction is answered with is not looked at.
    if (fault.isDone || nature.type === "unreadable") return either(ok);
    if (isPassing(nature) || nature.type === "redirect" || isLimit(nature)) {
      return { ...left(ok), mentions: numberOf(nature) };
    }
    return { ...ok, arrives: [1, 2], warnings: [1, 2], mentions: numberOf(nature) };
  };

/** Nothing is written over a comment that cannot be read again; one that is gone needs no warning. */
export const readingAgain: Rule = ({ nature, times, ok }) => {
  if (nature.type === "good") return ok;
  if (times === "once" && isReadAgain(nature)) return { ...ok, arrives: [0, 2] };
  return { ...left(ok), warnings: [0, 3] };
};

/** The last write of a sweep is made twice at most: then the next sweep does it. */
export const finishingText: Rule = ({ nature, fault, times, ok }) => {
  if (nature.type === "good") return ok;
  if (nature.type === "reset-early") return either(ok);
  if (times === "once" && isReadAgain(nature)) return { ...ok, arrives: [0, 2] };
  if (fault.isDone) return { ...ok, arrives: [0, 2], warnings: [0, 2] };
  return { ...left(ok), mentions: numberOf(nature) };
};
