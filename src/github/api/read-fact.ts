import type { Fact, Unread } from "../../runtime/fact.ts";
import { explainRefusal, type Refusal, type TokenPermissions } from "./refusal.ts";

/** The answer of GitHub as a fact. @throws any error that is not GitHub's */
export async function readFact<T>(
  request: () => Promise<T>,
  permissions: TokenPermissions,
): Promise<Fact<T>> {
  try {
    return { type: "known", value: await request() };
  } catch (error) {
    return unreadAfter(explainRefusal(error, permissions));
  }
}

function unreadAfter(refusal: Refusal): Unread {
  const { reason, isPassing } = refusal;
  const status = refusal.type === "rest" ? refusal.status : null;
  return { type: "unread", cause: causeOf(refusal), reason, isPassing, status };
}

function causeOf({ type, isPassing }: Refusal): Unread["cause"] {
  if (type === "limited") return "limited";
  return type === "unanswered" || isPassing ? "unanswered" : "refused";
}
