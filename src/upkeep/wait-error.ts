import type { Outcome } from "../job/outcome.ts";
import { type Policy, resultOf } from "../job/step-result.ts";
import { ActionError, type ErrorKind } from "../runtime/errors.ts";
import { sentence } from "../text/sentence.ts";

const POLICY: Policy = { ifTimeout: "error", ifNoChanges: "ignore" };

/** Errors of polls for which a person has nothing to correct here: a later run polls the job again. */
const PASSING: ReadonlySet<ErrorKind> = new Set([
  "service-unavailable",
  "invalid-response",
  "not-found",
]);

const LATER = "A later run finishes the batch.";
const AGAIN =
  "Check the job on the service's dashboard. The next run hands its changes over again, up to `max-attempts` times in total; after that, they need a decision.";

/**
 * Why the step fails after it waited for a batch's job; null: it does not. As of the root action, but what
 * comes next is a later run's work.
 */
export function waitErrorOf(outcome: Outcome): ActionError | null {
  const { kind, quote, what, advice } = resultOf(outcome, POLICY);
  if (kind === "") return null;
  const said = [sentence(quote), what].filter((part) => part !== "").join(" ");
  return new ActionError(kind, said, nextStep(outcome, kind) ?? advice);
}

/** What comes next, where that is not what the root action advises; undefined: it is. */
function nextStep({ type }: Outcome, kind: ErrorKind): string | undefined {
  switch (type) {
    case "ended":
      return AGAIN;
    case "timed-out":
    case "cancelled":
      return LATER;
    case "error":
      return PASSING.has(kind) ? LATER : undefined;
    default:
      return undefined;
  }
}
