/** Walks the states of a small ledger of upkeep, breadth first, with every answer, and says what is wrong. */

import { shortId } from "../../../src/batches/model/answers.ts";
import { undecidedEntries } from "../../../src/batches/model/decisions.ts";
import type { Ledger } from "../../../src/batches/model/ledger.ts";
import { revisionOf } from "../../../src/batches/model/revision.ts";
import { sourcesToSee } from "../../../src/batches/model/unread.ts";
import { EMPTY, group, NOW, RULES, source } from "../ledger-examples.ts";
import { upkeepInputs } from "../upkeep-examples.ts";
import { Choices, withAllChoices } from "./choices.ts";
import {
  CHANGES,
  NOBODY,
  OWN,
  type Person,
  type Place,
  placeOf,
  type RunResult,
  runOnce,
} from "./run.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Between two runs. */
const STEPS = [HOUR, DAY + HOUR];
/** The longest that an open docs pull request may go unread before it is a person's, or at its end. */
const WEEK = 7 * DAY;

interface State {
  readonly ledger: Ledger;
  readonly now: number;
  /** Where each change is, and since when. */
  readonly at: Readonly<Record<string, { readonly place: string; readonly since: number }>>;
  /** What could not be read, by its question, and since which run. */
  readonly unread: Readonly<Record<string, number>>;
  /** The choices of the runs that led here. */
  readonly path: string;
}

export interface Exploration {
  readonly inputs: Record<string, string>;
  /** How many changes there are, of which the first one waits. */
  readonly changes: number;
  readonly mostStates: number;
  /** Breaks something after each run. */
  spoil?(ledger: Ledger, now: number): Ledger;
  /** Whether nobody reads what people decide. */
  readonly isDeaf?: boolean;
}

export interface Explored {
  readonly states: number;
  readonly isWhole: boolean;
  readonly wrong: readonly string[];
}

export async function explore(exploration: Exploration): Promise<Explored> {
  const rules = { ...RULES, maxAttempts: 2, maxFailures: 2 };
  const place: Place = { inputs: upkeepInputs(exploration.inputs), rules };
  const first: State = { ledger: beginning(), now: NOW, at: {}, unread: {}, path: "" };
  const seen = new Set([keyOf(first)]);
  const open = [first];
  const wrong: string[] = [];
  let states = 0;
  for (const state of open) {
    if (states === exploration.mostStates || wrong.length > 0) break;
    states += 1;
    for (const problem of await withoutWayOut(state, place, exploration))
      wrong.push(`${state.path}: ${problem}`);
    for (const [nth, person] of peopleIn(state, place).entries()) {
      await withAllChoices(async (choices) => {
        const { next, problems } = await after(state, choices, place, person, exploration);
        const path = `${state.path}/${nth}:${choices.made.map(({ taken }) => taken).join("")}`;
        wrong.push(...problems.map((problem) => `${path}: ${problem}`));
        for (const step of STEPS) {
          const later = { ...next, now: next.now + step, path: `${path}+${step / HOUR}h` };
          const key = keyOf(later);
          if (seen.has(key)) continue;
          seen.add(key);
          open.push(later);
        }
      });
    }
  }
  return { states, isWhole: states === open.length, wrong };
}

function beginning(): Ledger {
  const { workflow, job, commit, filters } = OWN;
  return {
    ...EMPTY,
    dashboard: { type: "open", number: 7 },
    ownerWorkflow: { workflow, job, commit, digest: null, filters },
    sources: [source()],
    waiting: [group(1)],
  };
}

/** What people may do before a run. */
function peopleIn({ ledger, now }: State, { rules }: Place): Person[] {
  const [entry] = undecidedEntries(revisionOf(ledger, now, rules));
  if (entry === undefined) return [NOBODY];
  const id = shortId(entry.id);
  const answers = (["again", "leave"] as const).map((choice): Person => {
    return { ticks: [], answers: [{ type: "entry", id, choice }] };
  });
  return [NOBODY, ...answers];
}

/** A run, where everything is then, and what is wrong with that. */
async function after(
  state: State,
  choices: Choices,
  place: Place,
  person: Person,
  { changes, spoil = (ledger) => ledger, isDeaf = false }: Exploration,
) {
  const { now } = state;
  const next = CHANGES.slice(0, changes).find(
    ({ key }) => key !== CHANGES[0]?.key && !(key in state.at),
  );
  const result = await runOnce(
    state.ledger,
    now,
    choices,
    place,
    isDeaf ? NOBODY : person,
    next ?? null,
  );
  const ledger = spoil(result.ledger, now);
  const revision = revisionOf(ledger, now, place.rules);
  const found = CHANGES.map(({ key }) => [key, placeOf(revision, key)] as const);
  const known = found.filter(
    ([key, where]) => where !== "lost" || key in state.at || key === CHANGES[0]?.key,
  );
  const at = Object.fromEntries(
    known.map(([key, where]) => {
      const before = state.at[key];
      // What fewer people may read is not named any more.
      if (before?.place === "passed over" && where === "lost") return [key, before];
      return [key, before?.place === where ? before : { place: where, since: now }];
    }),
  );
  const unread = Object.fromEntries(
    choices.unanswered.map((question) => [question, state.unread[question] ?? now]),
  );
  const after: State = { ledger, now, at, unread, path: state.path };
  return { next: after, problems: silentIn(after, result, place) };
}

/** What is lost, or has waited beyond its time without anybody being told. */
function silentIn(
  { ledger, now, at, unread }: State,
  { said, errors }: RunResult,
  { rules }: Place,
): string[] {
  const revision = revisionOf(ledger, now, rules);
  const wrong: string[] = [];
  for (const [key, { place, since }] of Object.entries(at)) {
    const age = now - since;
    if (place === "lost") wrong.push(`${key} is lost`);
    if (place.startsWith("running") && age > rules.deadline)
      wrong.push(`${key} is at work for too long`);
    if (place.startsWith("intended") && age > HOUR) wrong.push(`${key} is being sent for too long`);
    if (place === "waiting" && age > DAY && said.length === 0 && ledger.failures.halt === null) {
      wrong.push(`${key} waits in silence`);
    }
  }
  for (const [question, since] of Object.entries(unread)) {
    const age = now - since;
    const key = question.replace("details ", "");
    // A person may want it handed over without.
    const isHeld = at[key]?.place === "waiting" && !ledger.unread.accepted.includes(key);
    if (isHeld && age > DAY) {
      wrong.push(`${question} could not be read for too long`);
    }
    if (question === "limit" && age > DAY && errors.length === 0) {
      wrong.push("the service's limit is not told");
    }
    if (
      question === "place" &&
      age > DAY &&
      (errors.length === 0 || sourcesToSee(revision).length === 0)
    ) {
      wrong.push("a source could not be read for too long");
    }
    const [, link = "", kind = ""] = /^pull (\S+) (\w+)$/.exec(question) ?? [];
    const review = ledger.reviews.find(({ prLink }) => prLink === link);
    const isAsked = undecidedEntries(revision).some(({ id }) => id === `docs:${link}`);
    if (review === undefined || isAsked) continue;
    if (age > (kind === "unavailable" ? DAY : WEEK)) wrong.push(`${question} for too long`);
  }

  return wrong;
}

/** Most runs until all is at an end, once everything is answered well. */
const ENOUGH = 14;

/** What a person cannot bring to its end, although everything is answered well from now on. */
async function withoutWayOut(
  state: State,
  place: Place,
  { spoil = (it) => it, isDeaf = false }: Exploration,
) {
  const wrong: string[] = [];
  for (const choice of ["again", "leave", "by hand"] as const) {
    let { ledger, now } = state;
    for (let nth = 0; nth < ENOUGH && !isAtEnd(ledger); nth++) {
      const person = isDeaf ? NOBODY : personBy(choice, ledger, now, place);
      const { ledger: next } = await runOnce(ledger, now, new Choices([]), place, person, null);
      ledger = spoil(next, now);
      now += HOUR;
    }
    if (!isAtEnd(ledger)) wrong.push(`"${choice}" leads to no end`);
  }
  return wrong;
}

function personBy(
  choice: "again" | "leave" | "by hand",
  ledger: Ledger,
  now: number,
  { rules }: Place,
): Person {
  const entries = undecidedEntries(revisionOf(ledger, now, rules));
  const { halt } = ledger.failures;
  if (choice === "by hand") {
    return { ticks: [], answers: [{ type: "all", choice: "again" }, { type: "go-on" }] };
  }
  const goOn = halt === null ? [] : [{ id: halt.id, choice: "go-on" } as const];
  return { ticks: [...entries.map(({ id }) => ({ id, choice })), ...goOn], answers: [] };
}

function isAtEnd({ waiting, batches, reviews, failures, unread }: Ledger): boolean {
  const isEmpty = [waiting, batches, reviews, unread.sources].every(({ length }) => length === 0);
  return isEmpty && failures.halt === null;
}

/** States in which the same can happen: how old something is counts only in steps of what a wait may take. */
function keyOf({ ledger, now, at, unread }: State): string {
  const { waiting, batches, reviews, followed, passedOver, unread: waits, failures } = ledger;
  const { limitedSince, busyJobs, done, noLongerRead } = ledger;
  const parts = [
    waiting.map((it) => [
      it.changes.map(({ key }) => key),
      it.attempts,
      it.followUp,
      it.origin?.hasSucceeded,
    ]),
    batches.map((it) => ({
      ...it,
      changes: it.changes.map(({ key }) => key),
      origin: it.origin.hasSucceeded,
    })),
    reviews.map((it) => ({ ...it, changes: it.changes.map(({ key }) => key), others: [] })),
    followed.map(({ job, decision, since }) => [job, decision, since]),
    passedOver.map(({ change, reason }) => [change.key, reason.code]),
    done.map(({ result, changes }) => [result, changes.map(({ key }) => key)]),
    [waits.sources.map(({ since }) => since), waits.changes, waits.accepted],
    [
      failures.inRow.length,
      failures.halt === null,
      limitedSince,
      busyJobs,
      noLongerRead.length > 0,
    ],
    Object.entries(at).map(([key, { place, since }]) => [
      key,
      place.split(" ")[0],
      ageClass(now - since),
    ]),
    Object.entries(unread).map(([question, since]) => [question, ageClass(now - since)]),
  ];
  const names = new Map<string, number>();
  return JSON.stringify(parts)
    .replace(/"(20\d\d-[^"]+)"/g, (_, time) => ageClass(now - Date.parse(time)))
    .replace(/r?\d{13}[.\w]*/g, (name) => {
      const nth = names.get(name) ?? names.size;
      names.set(name, nth);
      return `n${nth}`;
    });
}

function ageClass(age: number): string {
  return String([0, HOUR, DAY, WEEK].filter((limit) => age > limit).length);
}
