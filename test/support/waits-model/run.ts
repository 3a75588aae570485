/** One run of upkeep on a small ledger: its plan, the request, and what is recorded, with answers that are chosen. */

import {
  type BatchAct,
  expireBatches,
  isRefusedContent,
  recordBatchAct,
} from "../../../src/batches/batch-program.ts";
import { renderDashboard } from "../../../src/batches/dashboard/render.ts";
import type { StartedJob } from "../../../src/batches/model/batches.ts";
import { type Tick, undecidedEntries } from "../../../src/batches/model/decisions.ts";
import type { Ledger } from "../../../src/batches/model/ledger.ts";
import type { Polled } from "../../../src/batches/model/polls.ts";
import {
  type BatchRevision,
  type BatchRules,
  revisionOf,
} from "../../../src/batches/model/revision.ts";
import type { Handed } from "../../../src/batches/outcome.ts";
import { requestError, requestWarnings } from "../../../src/batches/report.ts";
import type { LedgerAddress } from "../../../src/batches/settings.ts";
import {
  type ChangeDetails,
  detailsOfKnown,
  type MergedChange,
} from "../../../src/github/changes/change-details.ts";
import type { Answer } from "../../../src/inputs/decisions.ts";
import { unchanged } from "../../../src/ledger/file.ts";
import { type Delivery, notSent } from "../../../src/runtime/delivery.ts";
import { type Fact, known, mapFact } from "../../../src/runtime/fact.ts";
import { holdOf } from "../../../src/upkeep/hold.ts";
import type { UpkeepInputs } from "../../../src/upkeep/inputs.ts";
import { ownJob } from "../../../src/upkeep/owner-workflow.ts";
import { planNextPart, planUpkeep } from "../../../src/upkeep/plan.ts";
import { UPKEEP_REASONS } from "../../../src/upkeep/reasons.ts";
import { ISSUE, SETTINGS } from "../batch-reads.ts";
import { accepted, change, polled, pullRead, refusedBy, unread } from "../ledger-examples.ts";
import { contextOf } from "../run-context.ts";
import { landed, sourceFacts } from "../upkeep-examples.ts";
import { upkeepReadsOf } from "../upkeep-reads.ts";
import type { Choices } from "./choices.ts";

export const OWN = ownJob({}, contextOf("schedule"));

export interface Place {
  readonly inputs: UpkeepInputs;
  readonly rules: BatchRules;
}

/** What people do before a run: boxes of the dashboard, or answers of a run by hand. */
export interface Person {
  readonly ticks: readonly Tick[];
  readonly answers: readonly Answer[];
}
export const NOBODY: Person = { ticks: [], answers: [] };

const TOLD: ReadonlySet<Delivery<unknown>["type"]> = new Set(["accepted", "not-sent", "busy"]);

export interface RunResult {
  readonly ledger: Ledger;
  /** What the run warns of, why it fails, or why it waits, unless that is nothing. */
  readonly said: readonly string[];
  /** Why the step fails; empty if it does not. */
  readonly errors: readonly string[];
}

const LINKS = "https://github.com/acme/docs/pull/";

function linkOf(jobId: string): string {
  return `${LINKS}${jobId.replace(/\D/g, "")}`;
}

/** @param toLand what lands with this run, if the choices say so */
export async function runOnce(
  before: Ledger,
  now: number,
  choices: Choices,
  { inputs, rules }: Place,
  person: Person,
  toLand: MergedChange | null,
): Promise<RunResult> {
  const name = `r${now}`;
  const identity = { action: "upkeep", project: "p" };
  const where = { ref: "", repository: "acme/code", githubApiUrl: "" };
  const address = { identity, rules, runName: name, ...where };
  const isDead = (at: string) => now - Date.parse(at) >= 600_000;
  const from = expireBatches(unchanged(before), isDead, rules);
  const body = bodyOf(revisionOf(before, now, rules), inputs, person.ticks);
  const reads = upkeepReadsOf([], answersOf(choices, from.ledger, body, toLand));
  const settings = {
    ...SETTINGS,
    rules,
    runName: name,
    answered: { answers: person.answers, run: name },
    inputs,
    own: OWN,
  };
  const planned = await planUpkeep(from, reads, { now, name: `${name}.1` }, settings);
  if (planned.type !== "plan" || planned.plan.notes.type !== "decided") {
    throw new Error(planned.type);
  }
  const { notes } = planned.plan;
  const performed = perform(planned.plan, now, choices, address);
  // What is refused goes out in parts.
  for (let nth = 2; isRefusedTogether(performed.handed.at(-1)); nth++) {
    const from = unchanged(performed.ledger);
    const more = await planNextPart(from, reads, { now, name: `${name}.${nth}` }, notes, settings);
    if (more.type !== "plan") break;
    const { ledger, handed } = perform(more.plan, now, choices, address);
    performed.ledger = ledger;
    if (handed.length === 0) break;
    performed.handed.push(...handed);
  }
  const { ledger, handed } = performed;
  const isLimited =
    handed.length > 0 && handed.every(({ delivery }) => delivery?.type === "limited");
  if (isLimited) choices.note("limit");
  const { own } = notes;
  const { result } = UPKEEP_REASONS[own.reason.code];
  const error = requestError(handed, revisionOf(ledger, now, rules), 7);
  const { unread: failed, hidden } = own.sources;
  const errors = [
    ...(error === null ? [] : [error.problem]),
    ...[...failed, ...hidden].map(() => "a source"),
  ];
  return {
    ledger,
    errors,
    said: [
      ...errors,
      ...own.warnings.map(({ code }) => code),
      ...requestWarnings(handed),
      // The result, with its explanation.
      ...handed.flatMap(({ delivery }) =>
        delivery !== null && TOLD.has(delivery.type) ? [delivery.type] : [],
      ),
      ...(result === "idle" ? [] : [own.reason.code]),
      ...(notes.facts.isNoneFound ? ["none found"] : []),
    ],
  };
}

/** Makes the requests of a plan, and records what becomes of them, unless the run ends before. */
function perform(
  plan: { readonly ledger: Ledger; readonly acts: readonly BatchAct[] },
  now: number,
  choices: Choices,
  address: LedgerAddress,
): { ledger: Ledger; handed: Handed[] } {
  let { ledger } = plan;
  const handed: Handed[] = [];
  for (const act of plan.acts) {
    const delivery = deliveryOf(act, now, choices);
    if (delivery === null) break;
    ({ ledger } = recordBatchAct(unchanged(ledger), act, delivery, now, address));
    if (act.type === "start" || act.type === "follow-up") handed.push({ act, delivery });
  }
  return { ledger, handed };
}

function isRefusedTogether(handed: Handed | undefined): boolean {
  if (handed?.delivery == null) return false;
  return isRefusedContent(handed.delivery) && handed.act.changes.length > 1;
}

/** The dashboard's body, with boxes that are ticked. */
function bodyOf(revision: BatchRevision, inputs: UpkeepInputs, ticks: readonly Tick[]): string {
  if (ticks.length === 0) return "";
  return renderDashboard(revision, ticks, {
    introduction: "",
    headline: "",
    progress: {},
    chart: "",
    waiting: revision.ledger.waiting,
    hold: holdOf(revision, inputs),
  });
}

function answersOf(choices: Choices, ledger: Ledger, body: string, toLand: MergedChange | null) {
  const place = sourceFacts();
  const pullOf = (link: string) => {
    const options = ["merged", "open", "closed", "by bot", "unavailable", "unread"] as const;
    const state = choices.pick(`pull ${link}`, options);
    if (state === "unavailable" || state === "unread") choices.note(`pull ${link} ${state}`);
    return state;
  };
  const noted = <T extends { type: string }>(question: string, fact: T): T => {
    if (fact.type === "unread") choices.note(question);
    return fact;
  };
  return {
    dashboard: async () => known({ ...ISSUE, body }),
    poll: async ({ id, job }: { id: string; job: { id: string } }) =>
      choices.pick(`poll ${id}`, pollsOf(linkOf(job.id))),
    pullState: async (link: string) => {
      const state = pullOf(link);
      return pullRead(state === "by bot" ? "closed" : state);
    },
    pullEnd: async (link: string) => {
      const state = pullOf(link);
      const read = pullRead(state === "by bot" ? "closed" : state);
      const isTooLate = state === "merged" && choices.pick("too late", [false, true]);
      const lastCommitAt = isTooLate ? "2020-01-01T00:00:00Z" : null;
      return mapFact(read, (is) => ({ state: is, lastCommitAt, hasLaterCommits: isTooLate }));
    },
    closedBy: async (link: string) => {
      if (pullOf(link) !== "by bot") return known(null);
      return choices.pickFault<Fact<string | null>>("closer", [
        known("stale[bot]"),
        unread("unanswered"),
      ]);
    },
    documented: async (link: string) => {
      const entry = ledger.done.find(({ prLink }) => prLink === link);
      return entry === undefined
        ? ({ type: "absent" } as const)
        : known({ jobId: `job-${link.replace(/\D/g, "")}`, changes: entry.changes });
    },
    place: async () => {
      const places = [
        known(place),
        unread("unanswered"),
        { type: "hidden", id: 1, isCertain: true },
      ] as const;
      return noted("place", choices.pickFault<(typeof places)[number]>("place", [...places]));
    },
    source: async () => {
      if (toLand === null) return known(place);
      const gained = sourceFacts({ landed: [landed(toLand)] });
      return choices.pick("lands", [known(place), known(gained)]);
    },
    details: async (read: MergedChange) => {
      const details = detailsOfKnown(read);
      const question = `details ${read.key}`;
      const fact = choices.pickFault<Fact<ChangeDetails>>(question, [
        known(details),
        unread("unanswered"),
        unread("refused"),
        unread("limited"),
        known({ ...details, labels: ["skip-docs"] }),
      ]);
      return fact.type === "unread" && fact.cause === "limited" ? fact : noted(question, fact);
    },
  };
}

function pollsOf(link: string): [Fact<Polled>, ...Fact<Polled>[]] {
  return [
    polled("completed", link),
    polled("running"),
    polled("failed"),
    polled("completed"),
    polled("archived"),
    polled("completed", null, { hasHiddenPull: true }),
    polled("unknown"),
    unread("unanswered"),
  ];
}

/** What becomes of a request; null if the run ends before it can record that. */
function deliveryOf(act: BatchAct, now: number, choices: Choices): Delivery<StartedJob> | null {
  const toNew = accepted(`job-${now}`);
  const common = [
    { type: "limited" },
    refusedBy("content"),
    refusedBy("key"),
    refusedBy("credits"),
    notSent("changed"),
    notSent("unreached", { kind: "bad-request", problem: "unreached", advice: null }),
    {
      type: "uncertain",
      reason: "lost",
      error: { kind: "create-uncertain", problem: "lost", advice: null },
    },
    null,
  ] as const;
  if (act.type !== "follow-up")
    return choices.pick<Delivery<StartedJob> | null>(`start ${act.id}`, [toNew, ...common]);
  return choices.pick<Delivery<StartedJob> | null>(`follow-up ${act.id}`, [
    accepted(act.jobId, true),
    toNew,
    { type: "busy" },
    ...common,
  ]);
}

export const CHANGES: readonly MergedChange[] = [1, 2].map(change);

/** Where a change is. */
export function placeOf(revision: BatchRevision, key: string): string {
  const has = ({ changes }: { changes: readonly { key: string }[] }) =>
    changes.some((one) => one.key === key);
  const { waiting, batches, reviews, done, passedOver, noLongerRead } = revision.ledger;
  if (undecidedEntries(revision).some(({ batch }) => has(batch))) return "decision";
  if (waiting.some(has)) return "waiting";
  const batch = batches.find(has);
  if (batch !== undefined) return `${batch.state} ${batch.id}`;
  if (reviews.some(has)) return "review";
  if (done.some(has)) return "done";
  if (passedOver.some(({ change: one }) => one.key === key)) return "passed over";
  return noLongerRead.length > 0 ? "no longer read" : "lost";
}
