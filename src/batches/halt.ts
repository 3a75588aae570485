/** What is said when too much came to nothing, and of requests whose outcome is unknown. */

import type { Halt } from "./model/ledger.ts";

/** What happened, and what to look at first. */
export function haltText({ inRow }: Halt): { problem: string; check: string } {
  const kinds = [
    countOf(inRow, "failed", "job failed", "jobs failed"),
    countOf(inRow, "refused", "request was refused", "requests were refused"),
    countOf(
      inRow,
      "unknown",
      "request or job has an unknown outcome",
      "requests or jobs have unknown outcomes",
    ),
  ].filter((text) => text !== "");
  const inARow = inRow.length === 1 ? "" : " in a row";
  return {
    problem:
      `${LIST.format(kinds)}${inARow}, so nothing more is handed over: something may be wrong ` +
      "for all of them.",
    check: "Look at the entries below, and at the jobs on Mintlify's dashboard, first.",
  };
}

/** The ID of the last job in the row; null for none. */
export function lastJob({ inRow }: Halt): string | null {
  return inRow.findLast(({ jobId }) => jobId !== null)?.jobId ?? null;
}

const LIST = new Intl.ListFormat("en-GB");

/** For example `3 jobs failed`; empty for none. */
function countOf(inRow: Halt["inRow"], how: string, one: string, several: string): string {
  const count = inRow.filter((failure) => failure.how === how).length;
  if (count === 0) return "";
  return `${count} ${count === 1 ? one : several}`;
}

/** How to go on after a halt. @param hasBoxes whether there is a dashboard */
export function goOnAdvice(hasBoxes: boolean): string {
  const how = hasBoxes
    ? 'tick "Go on" under "Needs a decision" on the dashboard issue'
    : "run the workflow by hand with `decisions: go on`";
  const look = "Look at what needs a decision, and at the jobs on Mintlify's dashboard.";
  return `${look} Then ${how}, or raise \`max-failures\`.`;
}

/** How to decide about a request that the service may have received. @param hasBoxes whether there is a dashboard */
export function decideAdvice(hasBoxes: boolean): string {
  const look = "Look for its job on Mintlify's dashboard. Then";
  return hasBoxes
    ? `${look} decide under "Needs a decision" on the dashboard issue: tick "Hand over again" if there is no job, ` +
        'and "Leave it" if there is one.'
    : `${look} run the workflow by hand with \`decisions: ID: again\` if there is no job, and with ` +
        "`decisions: ID: JOB_ID` if there is one. The summary has the ID.";
}
