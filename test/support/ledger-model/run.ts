/** A run of the real engine, as far as it has come: it is replayed with the answers that it got. */

import type { Saved as SavedBy } from "../../../src/ledger/program.ts";
import { ActionError } from "../../../src/runtime/errors.ts";
import type { Commits } from "../memory-git.ts";
import { type ItemLedger, type ItemTerms, itemFormat } from "./item-program.ts";
import type { Protocol } from "./protocol.ts";
import type { Answer, Answers, Call, Called, World } from "./world.ts";

export type Saved = SavedBy<ItemTerms>;

/** An answer, and what the run saw before it made the call. */
interface Step {
  readonly now: number;
  readonly landed: number;
  readonly answer: Answer;
}

/** A run: it is what its answers have made of it. */
export interface Run {
  readonly name: string;
  /** What a post step got from its main step; null in a main step. */
  readonly saved: Saved | null;
  readonly steps: readonly Step[];
  /** The items that its last call, if it was the question about them, found not to be revoked. */
  readonly foundOpen: readonly number[];
  readonly state: "alive" | "ended" | "killed";
  /** Different for runs that have come to different points. */
  readonly key: string;
}

export function newRun(name: string, saved: Saved | null = null): Run {
  const key = `${name}${JSON.stringify(saved)}`;
  return { name, saved, steps: [], foundOpen: [], state: "alive", key };
}

export function withAnswer(
  run: Run,
  { now, landed }: World,
  { countsLanded }: Position,
  { answer, foundOpen }: Called,
): Run {
  const key = `${run.key}\n${now} ${countsLanded ? landed : ""} ${JSON.stringify(answer)}`;
  return { ...run, steps: [...run.steps, { now, landed, answer }], foundOpen, key };
}

/** Where a run is after its answers. */
export interface Position {
  /** Its next call; null at its end. */
  next: Call | null;
  /** What it has saved for its post step. */
  saved: Saved | null;
  /** Whether it counts what has landed before its next call. */
  countsLanded: boolean;
}

/** Replays a run up to a call that it has no answer for. Its clocks stand still between two calls. */
export async function replay(
  run: Run,
  world: World,
  commits: Commits,
  protocol: Protocol,
): Promise<Position> {
  const position: Position = { next: null, saved: null, countsLanded: false };
  const paused = Promise.withResolvers<void>();
  let nth = 0;
  const timeOfDay = () => run.steps[nth]?.now ?? world.now;
  const clock = { now: timeOfDay, timeOfDay };
  const answer = async <T extends Call["type"]>(call: Call & { type: T }): Promise<Answers[T]> => {
    const step = run.steps[nth];
    nth += 1;
    if (step !== undefined) return step.answer as Answers[T];
    position.next = call;
    paused.resolve();
    return await new Promise(() => {});
  };
  const git = {
    readRef: () => answer({ type: "readRef" }),
    move: (from: string | null, to: string) => answer({ type: "move", from, to }),
    readFile: async (sha: string | null, path: string) => commits.readFile(sha, path),
    commit: async (parent: string | null, files: Record<string, string>, message: string) =>
      commits.add(parent, files, message),
    contains: async (head: string, sha: string) => commits.contains(head, sha),
    pause: async (attempt: number) => attempt < 4,
    listRefs: async () => [],
  };
  const program = new protocol.ItemProgram({
    countLanded: () => {
      position.countsLanded = nth >= run.steps.length;
      return run.steps[nth]?.landed ?? world.landed;
    },
    ask: (items) => answer({ type: "ask", items }),
    // If nobody revokes anything, nothing that others do can come before or after the question.
    readRevoked: async (items) => (world.canRevoke ? answer({ type: "readRevoked", items }) : []),
    send: (item) => answer({ type: "send", item }),
  });
  const options = {
    ref: "refs/docs-agent/items/p",
    runName: run.name,
    format: itemFormat,
  };
  const store = new protocol.LedgerStore<ItemLedger>(git, options, clock);
  const save = (saved: Saved | null) => {
    position.saved = saved;
  };
  const runWhole = async () => {
    if (run.saved === null) {
      const engine = new protocol.Engine({ program, store, clock, stop: NEVER, save });
      return await engine.run(program.plan.bind(program));
    }
    const recorder = new protocol.Recorder<ItemTerms>(program.record.bind(program), store);
    return await recorder.record(run.saved.acts, run.saved.writes);
  };
  await Promise.race([runWhole().catch(unlessExpected), paused.promise]);
  return position;
}

const NEVER = new AbortController().signal;

function unlessExpected(error: unknown): void {
  if (!(error instanceof ActionError)) throw error;
}
