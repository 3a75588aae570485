/** What doctor says about a set-up. */

/** `unknown`: it cannot be known from here, or not now. */
export type FindingState = "fine" | "wrong" | "unknown";

/** One thing that was checked. */
export interface Finding {
  /** Names the check, the same in every run. */
  readonly check: string;
  readonly state: FindingState;
  /** What was found: sentences. */
  readonly what: string;
  /** What to do, with the page or the command for it; null if nothing has to be done. */
  readonly advice: string | null;
}

export function fine(check: string, what: string): Finding {
  return { check, state: "fine", what, advice: null };
}

export function wrong(check: string, what: string, advice: string): Finding {
  return { check, state: "wrong", what, advice };
}

export function unknown(check: string, what: string, advice: string | null = null): Finding {
  return { check, state: "unknown", what, advice };
}

const ORDER: readonly FindingState[] = ["wrong", "unknown", "fine"];

/** Those that are wrong first. Otherwise, the order stays. */
export function sorted(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
}

/** The checks of key, project and rights. */
const NEEDED_FIRST = ["api-key", "project-id", "github-token", "docs-repository"];

/** Whether it makes all runs fail. */
export function isBlocking({ check, state }: Finding): boolean {
  const isNeeded = NEEDED_FIRST.includes(check) || check.startsWith("permissions");
  return state === "wrong" && isNeeded;
}

/** Whether nothing is known that makes all runs fail: the key, the project and the rights are not wrong. */
export function isReady(findings: readonly Finding[]): boolean {
  return !findings.some(isBlocking);
}

export function verdictOf(findings: readonly Finding[]): "healthy" | "unwell" {
  return findings.some(({ state }) => state === "wrong") ? "unwell" : "healthy";
}
