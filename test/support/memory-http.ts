import { Http, type OpenAnswer, type Outgoing } from "../../src/net/http.ts";

/** The action's HTTP without connections and proxies: a function answers each request. */
export class MemoryHttp extends Http {
  readonly #answer: (outgoing: Outgoing) => Promise<OpenAnswer>;

  constructor(answer: (outgoing: Outgoing) => Promise<OpenAnswer>) {
    super({});
    this.#answer = answer;
  }

  override async open(outgoing: Outgoing): Promise<OpenAnswer> {
    return await this.#answer(outgoing);
  }
}
