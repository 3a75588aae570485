/** How a run ends that met a fault: rules for every request, and the exceptions to them, each with its reason. */

import type { FaultKind } from "./fault.ts";
import type { Purpose } from "./row.ts";

/** What the rules judge by. */
export interface Met {
  purpose: Purpose;
  host: "service" | "github";
  kind: FaultKind;
  times: "once" | "for good";
  /** `green`, `skipped`, or the `errorKind`. */
  end: string;
  /** How often the request that meets the fault arrived. */
  arrived: number;
  /** Whether the log has a warning or an error. */
  isSaid: boolean;
  /** Whether log or error contain the status that the fault has, if any. */
  isNamed: boolean;
}

/** Requests that must not be sent twice, unless the first was refused for certain, or never received. */
const STARTS = /^(create|create-v1|message|continue|question)$/;
/** Requests that a run needs for its result. What becomes of the others costs a warning. */
const NEEDED = /^(create-v1|list-jobs|permission|find-comment|collect-list)$|^poll|^build|^create$/;
const PASSES = /^(unreached|reset early|lost|unreadable|408|425|429|5\d\d)(?! beyond)/;
const NOT_RECEIVED = /^(unreached|429|503 soon)/;
const REFUSED_FOR_GOOD = /^(400|401|403|404|409|410|422|redirect)$/;

/** What a clear refusal of the service is called. */
const KINDS: Readonly<Record<string, string>> = {
  400: "bad-request",
  401: "unauthorized",
  403: "forbidden",
  404: "not-found",
  409: "bad-request",
  410: "not-found",
  422: "bad-request",
  redirect: "invalid-response",
  "429 beyond": "rate-limited",
};

/** More than polls that fail for five minutes, one a second as `Retry-After` asks at the most. */
const MOST_REQUESTS = 400;

const OF_GITHUB = ["github-unavailable", "github-refused", "skipped"];

const isNeeded = ({ purpose }: Met) => STARTS.test(purpose) || NEEDED.test(purpose);
const mayRepeat = ({ purpose, kind }: Met) => !STARTS.test(purpose) || NOT_RECEIVED.test(kind);

/** What a run may end as by a fault of the service that passes, if it fails. */
function failuresOf({ purpose, kind }: Met): string[] {
  const isQuestion = purpose === "question";
  const isPoll = purpose.includes("poll");
  if (kind.startsWith("429") && !isPoll) return ["rate-limited"];
  const isUnreadable = kind === "unreadable" && !isPoll;
  if (isUnreadable && STARTS.test(purpose)) return ["invalid-response", "stream-interrupted"];
  if (!isQuestion && STARTS.test(purpose) && !NOT_RECEIVED.test(kind)) {
    return kind === "reset early"
      ? ["create-uncertain", "service-unavailable"]
      : ["create-uncertain"];
  }
  return [
    "service-unavailable",
    ...(isPoll || isQuestion ? ["timeout"] : []),
    ...(isQuestion ? ["stream-interrupted"] : []),
    ...(isUnreadable ? ["invalid-response"] : []),
  ];
}

/** What holds, and a sentence for when it does not. */
const RULES = {
  aside: {
    otherwise: "what is aside has failed the run",
    holds: (met: Met) => isNeeded(met) || met.end === "green",
  },
  good: {
    otherwise: "a good answer was not taken",
    holds: ({ kind, end }: Met) => kind !== "good" || end === "green",
  },
  passing: {
    otherwise: "what passes, and may be sent again, has failed the run",
    holds: (met: Met) =>
      met.times === "for good" || !PASSES.test(met.kind) || !mayRepeat(met) || met.end === "green",
  },
  lasting: {
    otherwise: "the run succeeds without what it needs",
    holds: (met: Met) =>
      (met.times === "once" && !REFUSED_FOR_GOOD.test(met.kind)) ||
      met.kind === "good" ||
      !isNeeded(met) ||
      met.end !== "green",
  },
  host: {
    otherwise: "the error names the wrong host",
    holds: ({ host, end }: Met) =>
      end === "green" || OF_GITHUB.includes(end) === (host === "github"),
  },
  refused: {
    otherwise: "the error is not what the service said",
    holds: ({ host, kind, end }: Met) =>
      host === "github" || KINDS[kind] === undefined || KINDS[kind] === end,
  },
  failed: {
    otherwise: "the error is not what has failed",
    holds: (met: Met) =>
      met.host === "github" ||
      met.end === "green" ||
      !PASSES.test(met.kind) ||
      failuresOf(met).includes(met.end),
  },
  forbidden: {
    otherwise: "GitHub failed, and did not refuse, or the other way round",
    holds: ({ kind, end }: Met) =>
      !end.startsWith("github-") || (end === "github-refused") === /^4(?!29)/.test(kind),
  },
  again: {
    otherwise: "a clear refusal was not taken as such",
    holds: ({ host, kind, arrived }: Met) =>
      host === "github" || !REFUSED_FOR_GOOD.test(kind) || arrived <= 1,
  },
  loop: {
    otherwise: "the request is sent over and over",
    holds: ({ arrived }: Met) => arrived <= MOST_REQUESTS,
  },
  certain: {
    otherwise: "the error doubts what is certain: the service has not accepted the request",
    holds: ({ kind, end }: Met) => !NOT_RECEIVED.test(kind) || end !== "create-uncertain",
  },
  named: {
    otherwise: "the log does not have GitHub's status",
    holds: ({ host, kind, times, isNamed }: Met) =>
      isNamed || host === "service" || times === "once" || !/^\d/.test(kind),
  },
  said: {
    otherwise: "what failed for good is not said",
    holds: ({ kind, times, isSaid, end, host }: Met) =>
      isSaid || times === "once" || host === "github" || kind === "good" || end !== "green",
  },
};

export type Rule = keyof typeof RULES;

/** Where a rule does not hold. */
interface Exception {
  to: readonly Rule[];
  purpose: RegExp;
  kind: RegExp;
  /** How the run ends instead. */
  ends: readonly string[];
  why: string;
}

const EXCEPTIONS: readonly Exception[] = [
  {
    why: "The job of a conversation that is gone, or busy for a minute, is replaced by a new one.",
    to: ["refused", "again", "lasting", "said"],
    purpose: /^continue$/,
    kind: /^(400|404|409|410)$/,
    ends: ["green"],
  },
  {
    why: "A busy job takes the follow-up a little later.",
    to: ["refused", "again", "lasting"],
    purpose: /^message$/,
    kind: /^409$/,
    ends: ["green", "bad-request"],
  },
  {
    why: "A new job or build may not be known everywhere for 30 seconds.",
    to: ["refused", "again", "lasting"],
    purpose: /^(poll|build-poll)$/,
    kind: /^404$/,
    ends: ["green", "timeout"],
  },
  {
    why: "A limit delays the next poll: the job goes on.",
    to: ["refused"],
    purpose: /poll/,
    kind: /^429 beyond$/,
    ends: ["green", "timeout", "service-unavailable"],
  },
  {
    why: "The next sweep polls again, but not with a key or an address that is wrong.",
    to: ["refused", "said"],
    purpose: /^collect-poll$/,
    kind: /^(400|404|409|410|422)$/,
    ends: ["green"],
  },
  {
    why: "A sweep can do nothing with a key or an address that is wrong.",
    to: ["aside"],
    purpose: /^collect-poll$/,
    kind: /^(401|403|redirect)$/,
    ends: ["unauthorized", "forbidden", "invalid-response"],
  },
  {
    why: "The headers name the job of version 1, and the assistant's answer is whole before the padding.",
    to: ["lasting", "said"],
    purpose: /^(create-v1|question)$/,
    kind: /^unreadable$/,
    ends: ["green"],
  },
  {
    why: "An answer of GitHub that is no JSON, or of another shape, grants and shows nothing.",
    to: ["good", "passing"],
    purpose: /^(permission|find-comment|collect-list)$/,
    kind: /^(good|unreadable)$/,
    ends: ["github-unavailable"],
  },
  {
    why: "What was made although GitHub failed is found, and a comment that is gone needs no edit.",
    to: ["named"],
    purpose: /^(deployment|deploy-comment|collect-read)$/,
    kind: /^(404|502)$/,
    ends: ["green"],
  },
];

/** Rules that do not hold, as sentences. */
export function brokenRules(met: Met): string[] {
  return Object.entries(RULES)
    .filter(([name, { holds }]) => !holds(met) && !isExcepted(met, name as Rule))
    .map(
      ([, { otherwise }]) => `${otherwise}: it ends as ${met.end}, after ${met.arrived} requests`,
    );
}

function isExcepted({ purpose, kind, end }: Met, rule: Rule): boolean {
  return EXCEPTIONS.some(
    (it) =>
      it.to.includes(rule) &&
      it.purpose.test(purpose) &&
      it.kind.test(kind) &&
      it.ends.includes(end),
  );
}
