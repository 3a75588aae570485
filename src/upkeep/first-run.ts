import { quote } from "../inputs/checks.ts";
import type { Since } from "../inputs/since.ts";

/** What a first run looks back when it is not told otherwise, in milliseconds. */
const DEFAULT_SPAN = 7 * 24 * 60 * 60 * 1000;

/**
 * The moment at which a first run begins.
 *
 * @param now GitHub's clock, in milliseconds since 1970
 */
export function startOf(
  since: Exclude<Since, { kind: "ref" }>,
  now: number,
): string | { problem: string } {
  if (since.kind === "default") return new Date(now - DEFAULT_SPAN).toISOString();
  if (Date.parse(since.at) <= now) return since.at;
  return { problem: `${quote(since.at)} is not allowed: it must be a time that has passed` };
}
