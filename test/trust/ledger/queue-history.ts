import { rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { Plan } from "../../../emulator/local-world/memory-servers.ts";
import { endedMark } from "../../../src/batches/model/names.ts";
import { queue } from "../../../src/queue/queue.ts";
import { shortHash } from "../../../src/text/short-hash.ts";
import { type Books, itemsOf } from "../../support/memory-world/ledger-world.ts";
import type { ActionInMemory, Ran } from "../../support/memory-world/runs.ts";
import { makeWorkspace } from "../../support/workspace.ts";
import { BatchHistory } from "./batch-history.ts";
import { often, one, plans, type Run } from "./events.ts";

const MINUTE = 60_000;
const FILE = "tasks.json";

const KINDS = ["plain", "named", "page"] as const;

/** What happens to the file of tasks, and to the pages that some of them are about. */
export type QueueEvent =
  | { kind: "add"; what: (typeof KINDS)[number]; count: number; at: number }
  | { kind: "take out" | "put back" | "edit" | "move"; at: number }
  | { kind: "divide"; perTask: number };

/** What is the same for a whole history. */
export interface QueueSetting {
  maxJobsPerHour: number;
  plans: Plan[];
  seed: number;
}

const at = fc.nat({ max: 20 });

const count = fc.integer({ min: 1, max: 4 });

export const queueEvent: fc.Arbitrary<QueueEvent> = fc.oneof<
  fc.MaybeWeightedArbitrary<QueueEvent>[]
>(
  often(5, fc.record({ kind: one("add"), what: one(...KINDS), count, at })),
  often(4, fc.record({ kind: one("take out", "put back", "edit", "move"), at })),
  fc.record({ kind: one("divide"), perTask: count }),
);

export const queueSetting: fc.Arbitrary<QueueSetting> = fc.record({
  maxJobsPerHour: fc.constantFrom(3, 10, 50),
  plans,
  seed: fc.nat(),
});

/** A task of the file, or a page that its last entry matches. */
interface Entry {
  name: string;
  what: (typeof KINDS)[number];
  version: number;
}

/** A file of tasks that people edit. */
export class QueueHistory extends BatchHistory<QueueEvent> {
  // An intent may be five minutes older than its request.
  protected readonly limit: { requests: number; within: number };
  readonly #workspace = makeWorkspace();
  #entries: Entry[] = [];
  readonly #out: Entry[] = [];
  #perTask = 2;
  #count = 0;

  constructor({ maxJobsPerHour, ...setting }: QueueSetting) {
    super(setting.plans, setting.seed);
    this.limit = { requests: maxJobsPerHour, within: 54 * MINUTE };
  }

  override [Symbol.dispose](): void {
    this.#workspace[Symbol.dispose]();
  }

  protected override actionOf({ max = 10 }: Run<QueueEvent>): ActionInMemory {
    this.#write();
    return {
      main: queue,
      context: { workspace: this.#workspace.path },
      inputs: {
        "tasks-file": FILE,
        "max-running": String(max),
        "max-jobs-per-hour": String(this.limit.requests),
      },
    };
  }

  #write(): void {
    rmSync(join(this.#workspace.path, "pages"), { recursive: true, force: true });
    for (const { name } of this.#entries.filter(({ what }) => what === "page")) {
      this.#workspace.write(name, "");
    }
    const tasks = this.#entries.flatMap((entry) => {
      const prompt = promptOf(entry);
      if (entry.what === "page") return [];
      return [entry.what === "plain" ? prompt : { id: entry.name, prompt }];
    });
    const pages = { files: "pages/*.md", "per-task": this.#perTask, prompt: "Describe:\n{files}" };
    this.#workspace.write(FILE, JSON.stringify([...tasks, pages]));
  }

  protected override applyOwn(event: QueueEvent): void {
    const entries = this.#entries;
    if (event.kind === "divide") this.#perTask = event.perTask;
    else if (event.kind === "add") {
      const added = Array.from({ length: event.count }, () => this.#newEntry(event.what));
      entries.splice(event.at % (entries.length + 1), 0, ...added);
    } else {
      const nth = event.at % Math.max(1, entries.length);
      const entry = entries[nth];
      if (event.kind === "put back") entries.splice(nth, 0, ...this.#out.splice(0, 1));
      else if (entry === undefined) return;
      else if (event.kind === "take out") {
        // Whoever puts it back, though it waited for another attempt, begins anew.
        this.restarts += 1;
        this.#out.push(...entries.splice(nth, 1));
      } else if (event.kind === "move") entries.unshift(...entries.splice(nth, 1));
      // A plain prompt that is edited is another task.
      else if (entry.what === "named") entry.version += 1;
    }
  }

  #newEntry(what: Entry["what"]): Entry {
    this.#count += 1;
    const name = what === "page" ? `pages/p${this.#count}.md` : `t${this.#count}`;
    return { name, what, version: 1 };
  }

  protected override itemsIn(text: string): string[] {
    const names = [...text.matchAll(/Task (t\d+)\.|(pages\/p\d+\.md)/g)].map(
      ([, task, page]) => task ?? page,
    );
    const all = [...this.#entries, ...this.#out];
    return all.filter(({ name }) => names.includes(name)).map(keyOf);
  }

  protected override checkBooks({ ledger, lines }: Books): string[] {
    const ended = lines.filter(({ state }) => state === "done" || state === "left");
    const marks = new Set(ended.flatMap(itemsOf).map(endedMark));
    const isRight = marks.size === ledger.ended.length && ledger.ended.every((it) => marks.has(it));
    return isRight ? [] : ["the marks of tasks at their end are not those of the history"];
  }

  protected override waitingIn({ ledger }: Books): string[] {
    const taken = new Set(ledger.batches.flatMap(itemsOf));
    return this.#entries
      .map(keyOf)
      .filter((key) => !taken.has(key) && !ledger.ended.includes(endedMark(key)));
  }

  protected override relieve({ outputs: { result } }: Ran): void {
    if (result === "limited") this.servers.now += 60 * MINUTE;
  }
}

function promptOf({ name, version }: Entry): string {
  return `Task ${name}. Version ${version}.`;
}

/** How the ledger names a task, or a page of one. */
function keyOf(entry: Entry): string {
  return entry.what === "plain" ? shortHash(promptOf(entry)) : entry.name;
}
