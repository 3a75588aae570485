/** What needs a decision: what happened, where to look, and what ticking does. */

import { HOUR } from "../../runtime/clock.ts";
import { inlineCode } from "../../text/markdown.ts";
import { counted, sentence } from "../../text/sentence.ts";
import { lastJob } from "../halt.ts";
import { undecidedEntries } from "../model/decisions.ts";
import { type Batch, jobIdOf } from "../model/ledger.ts";
import { itemText } from "../model/names.ts";
import type { BatchRevision } from "../model/revision.ts";
import { entryText } from "../reasons.ts";
import { detailsOf, type Item, idDetails, jobDetails } from "./details.ts";

/** What needs a decision, and why; and below, what to do about all of it. */
export function undecidedItems(revision: BatchRevision): {
  readonly items: readonly Item[];
  readonly advice: readonly string[];
} {
  const entries = undecidedEntries(revision);
  return {
    items: entries.map((entry) => undecidedItem(entry, revision)),
    advice: adviceFor(entries, revision),
  };
}

export function undecidedItem(
  { id, batch }: { id: string; batch: Batch },
  { rules }: BatchRevision,
): Item {
  const [head = "", ...changes] = itemText("", batch.changes).split("\n");
  return {
    text: [`${head}: ${problemOf(batch, rules.deadline)}`, ...changes].join("\n"),
    details: detailsOf(batch.changes, idDetails(id), jobDetails(jobIdOf(batch))),
  };
}

/** What happened, as the end of a sentence that begins with the changes. */
function problemOf(batch: Batch, deadline: number): string {
  switch (batch.state) {
    case "intended":
      return "it is being sent.";
    case "uncertain":
      return sentence(`the service may have received the request${shown(entryText(batch.reason))}`);
    case "running": {
      const hours = counted(Number((deadline / HOUR).toFixed(2)), "hour");
      return `the job has been at work for more than ${hours}. If it still ends, its result counts.`;
    }
    case "failed": {
      const { reason, job, attempt } = batch;
      if (reason.code === "unreadable") {
        return sentence(`it could not be read${shown(entryText(reason))}`);
      }
      if (job === null) return sentence(`the service refused it${shown(entryText(reason))}`);
      const nth = attempt === 1 ? "" : ` (attempt ${attempt})`;
      // The details name the job.
      if ("jobId" in reason) return sentence(`${entryText({ ...reason, jobId: null })}${nth}`);
      return sentence(`${inlineCode(entryText(reason), 200)}${nth}`);
    }
  }
}

function shown(text: string): string {
  return text === "" ? "" : `: ${inlineCode(text, 200)}`;
}

/** Where to look and what ticking does, each once. A halt says where to look by itself. */
export function adviceFor(
  entries: readonly { batch: Batch }[],
  { ledger }: BatchRevision,
): string[] {
  const advice = new Set(entries.map(({ batch }) => adviceAbout(batch)));
  if (ledger.failures.halt !== null) advice.delete(LOOK_FIRST);
  return advice.size === 0 ? [] : [[...advice].join(" ")];
}

const LOOK_FIRST =
  "Look at the jobs on Mintlify's dashboard first: handing over again starts new ones.";

function adviceAbout(batch: Batch): string {
  if (batch.state !== "failed" || (batch.job !== null && batch.reason.code !== "unreadable")) {
    return LOOK_FIRST;
  }
  if (batch.reason.code === "unreadable") {
    return "What could not be read is handed over with what can be read of it.";
  }
  return batch.changes.some(({ kind }) => kind === "task")
    ? "Change the prompt of a refused task in the task file, then hand it over again. Without an " +
        "`id`, the changed prompt is a new task: leave the refused one."
    : "Look in the description of a refused change for words that a firewall may refuse. Change " +
        "them, then hand it over again, or leave it and document it by hand.";
}

/** The job to look at first after too many failures. */
export function haltDetails({ ledger }: BatchRevision): string[] {
  const { halt } = ledger.failures;
  const last = halt === null ? null : lastJob(halt);
  return last === null ? [] : [`- The last job: ${inlineCode(last, 80)}`];
}
