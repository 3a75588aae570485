/** Says a text that comes in pieces line by line, each as soon as it is whole. */
export class LineLog {
  readonly #say: (line: string) => void;
  #pending: string[] = [];

  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  add(text: string): void {
    const [first = "", ...others] = text.split("\n");
    this.#pending.push(first);
    for (const next of others) {
      this.#flush();
      this.#pending = [next];
    }
  }

  /** The last line, which nothing ends. */
  end(): void {
    if (this.#pending.some((piece) => piece !== "")) this.#flush();
    this.#pending = [];
  }

  #flush(): void {
    this.#say(this.#pending.join("").replace(/\r$/, ""));
  }
}
