import type { Program } from "../ledger/program.ts";
import type { LandTerms } from "./acts.ts";
import { confirmAct } from "./confirm.ts";
import type { LandRun } from "./land-run.ts";
import { Performer, shouldRun } from "./perform.ts";
import { type FilesAtHeads, landReads } from "./reads.ts";
import { expireIntents, hasIntent, recordAct } from "./record.ts";

/** Land as a program for the engine. */
export function landProgram(run: LandRun): Program<LandTerms> {
  const { inputs } = run;
  const performer = new Performer(run);
  const filesAtHeads: FilesAtHeads = new Map();
  return {
    reads: () => landReads(run, filesAtHeads),
    confirm: (act, { ledger }, reads) => confirmAct(act, ledger, reads, inputs),
    perform: (act, { done }) => performer.perform(act, done),
    record: (from, act, delivery, now) => recordAct(from, act, delivery, now, inputs),
    expire: expireIntents,
    hasIntent,
    shouldRun,
  };
}
