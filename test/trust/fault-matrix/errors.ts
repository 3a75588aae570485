/** What the error of a run is called, and what it says. */

import { hostOf } from "../../support/world/servers.ts";
import type { Cell } from "./cells.ts";
import { type Fault, isNotReceived, REFUSALS, statusOf } from "./faults.ts";

/** What an error names, so that a person knows what to correct or to do. */
export const ADVICE: Readonly<Record<string, RegExp>> = {
  unauthorized: /`api-key` must be/,
  forbidden: /scope/,
  "bad-request": /Check `|^POST .* 409: .* Send this again when it has ended/,
  "not-found": /Check `/,
  "out-of-credits": /Add credits/,
  "rate-limited": /Run again later/,
  "create-uncertain": /`job-id`/,
  "invalid-response": /`(job-id|base-url)`/,
  "service-unavailable": /[Rr]un again/,
  timeout: /`job-id`|higher `timeout-minutes`/,
  "stream-interrupted": /Run again/,
  "github-refused": /token.* (Run again|The next run)|Correct this, and run again/,
  "github-unavailable": /Run again|The next run/,
};

/** What an error about the request calls it: the service's path, or what GitHub's path ends with. */
export function nameOfRequest({ row }: Cell): string {
  return hostOf(row.route) === "service"
    ? row.route.replace(" service", "")
    : (row.route.split("/").at(-1) ?? "");
}

/** Whether no other try can help: the service said no, or asks for a wait that is too long. Polls can wait. */
export function isFinal({ row, fault }: Cell): boolean {
  const isTooLong =
    fault.kind === "429 beyond" && hostOf(row.route) === "service" && row.role !== "poll";
  return REFUSALS[fault.kind] !== undefined || isTooLong;
}

/** What a run may end as, if it fails. */
export function errorsOf(cell: Cell): readonly string[] {
  const { row, fault } = cell;
  const { [fault.kind]: refusal } = REFUSALS;
  if (hostOf(row.route) === "github") {
    const isRefused = statusOf(fault).startsWith("4") && !fault.kind.startsWith("429");
    if (!isRefused) return ["github-unavailable"];
    // A token that is refused itself is nobody's refusal.
    const isOfPerson = row.name === "permission" && !/^40[13]/.test(fault.kind);
    return [isOfPerson ? "skipped" : "github-refused"];
  }
  if (refusal !== undefined) return [refusal];
  if (row.role === "poll") return ["timeout", "service-unavailable"];
  // The last try of a list may be cut off by its time limit.
  const isCut = row.route.startsWith("GET") ? ["service-unavailable"] : [];
  if (fault.kind === "429") return ["rate-limited", ...isCut];
  if (fault.kind.startsWith("429")) return ["rate-limited"];
  if (row.role === "question") return interruptionsOf(fault);
  if (fault.kind === "unreadable") return ["invalid-response", ...isCut];
  if (row.role !== "start" || isNotReceived(fault)) return ["service-unavailable"];
  return fault.kind === "reset early"
    ? ["create-uncertain", "service-unavailable"]
    : ["create-uncertain"];
}

/** What becomes of half an answer. */
function interruptionsOf({ kind }: Fault): readonly string[] {
  if (kind === "unreadable") return ["invalid-response", "stream-interrupted"];
  return kind === "lost" ? ["timeout", "stream-interrupted"] : ["service-unavailable"];
}
