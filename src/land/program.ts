import type { Program } from "../ledger/program.ts";
import type { LandTerms } from "./acts.ts";
import { goesOn, Performer } from "./perform.ts";
import { decide } from "./plan.ts";
import { readFacts } from "./read.ts";
import { expire, holds, recordBy } from "./record.ts";
import type { LandRun } from "./run.ts";

/** Land as a program for the engine. */
export function landProgram(run: LandRun): Program<LandTerms> {
  const performer = new Performer(run);
  return {
    read: async (head) => ({ type: "facts", facts: await readFacts(head, run) }),
    decide: (from, facts, moment) => decide(from, facts, moment, run.inputs),
    perform: (act, { done }) => performer.perform(act, done),
    record: recordBy(run.inputs),
    expire,
    holds,
    goesOn,
  };
}
