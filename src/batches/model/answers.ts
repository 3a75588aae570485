/** What the answers of a run by hand, in its input `decisions`, mean for the entries of a ledger. */

import type { Answer } from "../../inputs/decisions.ts";
import { shortHash } from "../../text/short-hash.ts";
import { type Decision, recallable, undecidedEntries } from "./decisions.ts";
import { closedByPeople } from "./reviews.ts";
import type { BatchRevision } from "./revision.ts";
import { reviewId } from "./undecided.ts";

/** How many runs the ledger remembers whose answers counted. */
const MOST_RUNS = 50;

/** The ID by which people name an entry, on the dashboard, in the summary and in `decisions`. */
export function shortId(id: string): string {
  return shortHash(id).slice(0, 8);
}

/** Whether the answers of a run count: a second attempt of the same run repeats them. */
export function isAnsweredAnew(
  { ledger }: BatchRevision,
  { run }: { readonly run: string | null },
): boolean {
  return run === null || !ledger.answeredRuns.includes(run);
}

/** Whether a person wants this job to keep the ledger. */
export function isKept(
  revision: BatchRevision,
  answered: { readonly answers: readonly Answer[]; readonly run: string | null },
): boolean {
  return answered.answers.some(({ type }) => type === "keep") && isAnsweredAnew(revision, answered);
}

/** The runs whose answers counted, with one more. */
export function withRun(
  runs: readonly string[],
  { run }: { readonly run: string | null },
): readonly string[] {
  return run === null ? runs : [...runs, run].slice(-MOST_RUNS);
}

/** The decisions that the answers make. An answer for a single entry takes precedence. */
export function decisionsOf(
  answers: readonly Answer[],
  revision: BatchRevision,
): {
  decisions: readonly Decision[] /** Short IDs that name no entry. */;
  unknown: readonly string[];
} {
  const entries = undecidedEntries(revision);
  const idOf = new Map(entries.map(({ id }) => [shortId(id), id]));
  const againOf = againByShortId(revision);
  const decisions = new Map<string, Decision>();
  const unknown: string[] = [];
  for (const answer of answers) {
    if (answer.type !== "entry" && answer.type !== "job") continue;
    const id = idOf.get(answer.id);
    const isAgain = answer.type === "entry" && answer.choice === "again";
    const again = isAgain ? againOf.get(answer.id) : undefined;
    if (id !== undefined) decisions.set(id, decisionOf(id, answer));
    else if (again !== undefined) decisions.set(again.id, again);
    else unknown.push(answer.id);
  }
  for (const answer of answers) {
    if (answer.type !== "all") continue;
    for (const { id } of entries) {
      if (!decisions.has(id)) decisions.set(id, { id, choice: answer.choice });
    }
  }
  const { halt } = revision.ledger.failures;
  const isGoOn = halt !== null && answers.some(({ type }) => type === "go-on");
  const goOn: Decision[] = isGoOn ? [{ id: halt.id, choice: "go-on" }] : [];
  return { decisions: [...goOn, ...decisions.values()], unknown };
}

/** What needs no decision, and may be handed over again all the same: by the short IDs that the dashboard shows. */
function againByShortId(revision: BatchRevision): ReadonlyMap<string, Decision> {
  const passedOver = recallable(revision).map(({ change }) => change.key);
  const closed = closedByPeople(revision.ledger).map(({ prLink }) => reviewId(prLink));
  return new Map<string, Decision>([
    ...passedOver.map((id) => [shortId(id), { id, choice: "hand-over" }] as const),
    ...closed.map((id) => [shortId(id), { id, choice: "again" }] as const),
  ]);
}

function decisionOf(id: string, answer: Extract<Answer, { readonly id: string }>): Decision {
  if (answer.type === "job") return { id, choice: "job", jobId: answer.jobId };
  return { id, choice: answer.choice };
}
