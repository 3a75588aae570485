import type { Fact } from "../../src/runtime/fact.ts";

/** The value of a fact. @throws if it has none */
export function knownValue<T>(fact: Fact<T>): T {
  if (fact.type === "known") return fact.value;
  throw new Error(fact.type === "absent" ? "There is none." : fact.reason);
}
