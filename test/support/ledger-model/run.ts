/** A run of the real engine, as far as it has come: it is replayed with the answers that it got. */

import type { Saved as SavedBy } from "../../../src/ledger/program.ts";
import { ActionError } from "../../../src/runtime/errors.ts";
import type { Commits } from "../memory-git.ts";
import type { ItemLedger, ItemTerms } from "./item-program.ts";
import type { Protocol } from "./protocol.ts";
import type { Answer, Answers, Call, World } from "./world.ts";

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
  readonly state: "alive" | "ended" | "killed";
  /** Different for runs that have come to different points. */
  readonly key: string;
}

export function newRun(name: string, saved: Saved | null = null): Run {
  return { name, saved, steps: [], state: "alive", key: `${name}${JSON.stringify(saved)}` };
}

export function withAnswer(
  run: Run,
  { now, landed }: World,
  { countsLanded }: Position,
  answer: Answer,
): Run {
  const key = `${run.key}\n${now} ${countsLanded ? landed : ""} ${JSON.stringify(answer)}`;
  return { ...run, steps: [...run.steps, { now, landed, answer }], key };
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
    send: (item) => answer({ type: "send", item }),
  });
  const options = {
    ref: "refs/docs-agent/items/p",
    runName: run.name,
    format: protocol.itemFormat,
  };
  const store = new protocol.LedgerStore<ItemLedger>(git, options, clock);
  const save = (saved: Saved | null) => {
    position.saved = saved;
  };
  const ended =
    run.saved === null
      ? new protocol.Engine({ program, store, clock, stop: NEVER, save }).run()
      : new protocol.Recorder(program, store).record(run.saved.acts, run.saved.writes);
  await Promise.race([ended.catch(unlessExpected), paused.promise]);
  return position;
}

const NEVER = new AbortController().signal;

function unlessExpected(error: unknown): void {
  if (!(error instanceof ActionError)) throw error;
}
