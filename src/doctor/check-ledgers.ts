/** Findings about the ledgers of upkeep. */

import { DAY } from "../runtime/clock.ts";
import { whyUnknown } from "../runtime/fact.ts";
import { inlineCode } from "../text/markdown.ts";
import { counted } from "../text/sentence.ts";
import { isMeant } from "./check-rights.ts";
import type { Facts, LedgerAge } from "./facts.ts";
import { type Finding, fine, unknown, wrong } from "./findings.ts";

export function checkLedgers(facts: Facts, page: string): Finding[] {
  const check = "ledger";
  const { ledgers, now } = facts.github;
  if (!isMeant(facts, ["upkeep"])) {
    return [fine(check, "Upkeep, whose ledgers are checked, is none of these actions.")];
  }
  if (ledgers.type !== "known") {
    return [unknown(check, `The ledgers could not be read: ${whyUnknown(ledgers)}.`)];
  }
  const { ages, unread } = ledgers.value;
  if (ages.length + unread === 0) {
    return [fine(check, "Upkeep has not written a ledger yet; its first run does.")];
  }
  const findings = ages.map((ledger) => checkLedger(ledger, now, page));
  if (unread > 0) {
    findings.push(unknown(check, `${counted(unread, "more ledger")} of upkeep: not read.`));
  }
  return findings;
}

function checkLedger(ledger: LedgerAge, now: number, page: string): Finding {
  const { ref, writtenAt, isBehind, closedDashboard } = ledger;
  const check = "ledger";
  const name = inlineCode(ref);
  const days = Math.floor((now - writtenAt) / DAY);
  if (isBehind.type !== "known") {
    const problem =
      `Upkeep has written nothing to the ledger ${name} for ${days} days; whether there was ` +
      `anything to write is not known: ${whyUnknown(isBehind)}.`;
    return unknown(check, problem);
  }
  if (!isBehind.value) return fine(check, `The ledger ${name} is up to date.`);
  if (closedDashboard.type === "known") {
    const problem = `Upkeep is paused: somebody closed its dashboard, #${closedDashboard.value}.`;
    return fine(check, `${problem} Reopen it to continue.`);
  }
  if (closedDashboard.type === "unread") {
    const problem =
      `Upkeep has written nothing to the ledger ${name} for ${days} days; whether somebody closed ` +
      `its dashboard is not known: ${closedDashboard.reason}.`;
    return unknown(check, problem);
  }
  return wrong(
    check,
    `Upkeep has written nothing to the ledger ${name} for ${days} days, although its repository has changed since.`,
    `Look for failed or missing runs of upkeep, and start one: ${page}/actions (docs/troubleshooting.md).`,
  );
}
