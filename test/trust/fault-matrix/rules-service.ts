import { type Expectation, MANY, type Range, type Rule, WORK } from "./expectation.ts";
import type { Fault, Nature } from "./fault.ts";

/** Creating and messaging: what may have been received is never sent again. */
export const starting =
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
        return ends("create-uncertain", [1, 1], { mentions: ["job-id"] });
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
export const creatingV1: Rule = (it) => {
  const { nature, fault, ok } = it;
  const isNamed = fault.isDone && nature.type !== "status" && !isAnonymous(fault);
  if (isNamed) return { ...ok, warnings: [0, 1] };
  return starting("create")(it);
};

/** Faults that take the headers of the answer away as well. */
function isAnonymous({ name }: Fault): boolean {
  return /^(reset|closed|slow headers|empty|null|array)/.test(name);
}

/** What is only read may be asked for again, four times in all. */
export const listing: Rule = ({ nature, times, ok }) => {
  const ends = (errorKind: string): Expectation => ({
    ...ok,
    errorKind: [errorKind],
    arrives: [0, 6],
    comments: ["none"],
    within: 2 * WORK,
  });
  switch (nature.type) {
    case "good":
      return ok;
    case "redirect":
      return { ...ends("invalid-response"), mentions: ["base-url"] };
    default: {
      const isFar = nature.type === "status" && nature.retryAfter === "beyond";
      if (times === "once" && isPassingPoll(nature) && !isFar) return { ...ok, arrives: [2, 3] };
    }
  }
  if (nature.type === "unreadable") return ends("invalid-response");
  if (nature.type !== "status") return ends("service-unavailable");
  // A limit is waited out as the service says, for a minute and a half.
  if (nature.status === 429) return { ...ends("rate-limited"), arrives: [0, 45] };
  return ends(isPassingPoll(nature) ? "service-unavailable" : refusalKind(nature.status));
};

/** A question has no memory at the service; what has begun to be answered is kept, and not asked again. */
export const asking: Rule = (it) => {
  const { nature, fault, ok } = it;
  const expected = starting("create")(it);
  const isFine = expected.errorKind.length === 0;
  if (isFine || fault.name === "oversized") return { ...ok, arrives: expected.arrives };
  const failed: Expectation = {
    ...expected,
    status: ["failed"],
    creates: [0, 0],
    mentions: expected.mentions.filter((it) => it !== "job-id"),
    errorKind: expected.errorKind.map((kind) =>
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

/** Whether a poll that came to this is followed by another. */
function isPassingPoll(nature: Nature): boolean {
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
export const continuing: Rule = (it) => {
  const { nature, times, ok } = it;
  const status = nature.type === "status" ? nature.status : 0;
  const replaced: Expectation = { ...ok, creates: [1, 1] };
  if ([400, 404, 410].includes(status)) return replaced;
  if (status === 409 && times === "for good") return { ...replaced, arrives: [5, 20] };
  return starting("message")(it);
};

/** A poll may be repeated: what passes is waited out. */
export const polling =
  (isNew: boolean): Rule =>
  ({ nature, times, ok }) => {
    const once = times === "once";
    const status = isNew ? ["active"] : [];
    const ends = (errorKind: string, more = {}): Expectation => ({
      ...ok,
      errorKind: [errorKind],
      status,
      comments: ["error"],
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
    if (isPassingPoll(nature)) return passes;
    if (nature.status === 404 && isNew) return { ...passes, warnings: [0, 0] };
    return ends(refusalKind(nature.status));
  };

/** Five minutes without a good answer are enough, unless the service itself asks for more. */
export const pollingPatiently: Rule = (it) => {
  const expected = polling(false)(it);
  const isFar = it.nature.type === "status" && it.nature.retryAfter === "beyond";
  const isUnwell = expected.errorKind.includes("timeout");
  return {
    ...expected,
    ...(isUnwell && { errorKind: ["service-unavailable", ...(isFar ? ["timeout"] : [])] }),
    comments: ["none"],
    warnings: [0, MANY],
    arrives: [0, MANY],
    within: 2 * WORK,
  };
};
