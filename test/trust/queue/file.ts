/** One task of the file. */
interface Entry {
  id: string;
  version: number;
  /** Written as a prompt alone: an edited one is another task. */
  isPlain: boolean;
}

/** A file of tasks that people edit. */
export class EditedFile {
  #entries: Entry[] = [];
  readonly #out: Entry[] = [];
  #count = 0;

  add(count: number, at: number, isPlain: boolean): void {
    const added = Array.from({ length: count }, () => {
      this.#count += 1;
      return { id: `t${this.#count}`, version: 1, isPlain };
    });
    this.#entries.splice(at % (this.#entries.length + 1), 0, ...added);
  }

  takeOut(at: number): void {
    if (this.#entries.length > 0) {
      this.#out.push(...this.#entries.splice(at % this.#entries.length, 1));
    }
  }

  putBack(at: number): void {
    const back = this.#out.splice(at % Math.max(1, this.#out.length), 1);
    this.#entries.splice(at % (this.#entries.length + 1), 0, ...back);
  }

  edit(at: number): void {
    const entry = this.#entries[at % Math.max(1, this.#entries.length)];
    // What was a prompt alone would be another task, which is what `add` and `take out` are for.
    if (entry !== undefined && !entry.isPlain) entry.version += 1;
  }

  move(at: number): void {
    const [first] = this.#entries.splice(0, 1);
    if (first !== undefined) this.#entries.splice(at % (this.#entries.length + 1), 0, first);
  }

  /** The names of its tasks, as they are in their prompts. */
  get names(): string[] {
    return this.#entries.map(({ id }) => id);
  }

  get prompts(): string[] {
    return this.#entries.map(promptOf);
  }

  get text(): string {
    return JSON.stringify(
      this.#entries.map((it) => (it.isPlain ? promptOf(it) : { id: it.id, prompt: promptOf(it) })),
    );
  }
}

function promptOf({ id, version }: Entry): string {
  return `Task ${id}. Version ${version}.`;
}

/** The names of the tasks in a text. */
export function namesIn(text: string): string[] {
  return [...new Set([...text.matchAll(/Task (t\d+)\./g)].map(([, name = ""]) => name))];
}
