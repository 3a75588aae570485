/** The answers of a run, each of which may be another one: a run is repeated with every combination of them. */

export class Choices {
  /** What was chosen of how many, in the order of the questions. */
  readonly made: { readonly taken: number; readonly of: number }[] = [];
  readonly #script: readonly number[];
  readonly #taken = new Map<string, number>();
  #faults = 0;
  /** The questions that had no answer. */
  readonly unanswered: string[] = [];

  constructor(script: readonly number[]) {
    this.#script = script;
  }

  /** The answer to a question of this run: the same each time. */
  pick<T>(question: string, options: readonly [T, ...T[]]): T {
    const known = this.#taken.get(question);
    const taken = known ?? this.#script[this.made.length] ?? 0;
    if (known === undefined) this.made.push({ taken, of: options.length });
    this.#taken.set(question, taken);
    return options[taken] ?? options[0];
  }

  note(question: string): void {
    if (!this.unanswered.includes(question)) this.unanswered.push(question);
  }

  /** The same where all but the first are failures: a run has at most one of them. */
  pickFault<T>(question: string, options: readonly [T, ...T[]]): T {
    if (this.#faults > 0 && !this.#taken.has(question)) return options[0];
    const answer = this.pick(question, options);
    if (answer !== options[0]) this.#faults = 1;
    return answer;
  }
}

/** Does something with every combination of answers to what it asks. */
export async function withAllChoices(act: (choices: Choices) => Promise<void>): Promise<void> {
  const scripts: number[][] = [[]];
  for (let script = scripts.pop(); script !== undefined; script = scripts.pop()) {
    const choices = new Choices(script);
    await act(choices);
    for (let at = script.length; at < choices.made.length; at++) {
      const before = choices.made.slice(0, at).map(({ taken }) => taken);
      const { of } = choices.made[at] ?? { of: 0 };
      for (let other = 1; other < of; other++) scripts.push([...before, other]);
    }
  }
}
