import { Http, type HttpAnswer, type OpenAnswer, type Outgoing } from "../../src/net/http.ts";

/** The action's own HTTP without a network: a function answers each request, whatever its address. */
export class HttpInProcess extends Http {
  readonly #perform: (outgoing: Outgoing) => Promise<HttpAnswer>;

  /** @param perform may throw an `ExchangeError` */
  constructor(perform: (outgoing: Outgoing) => Promise<HttpAnswer>) {
    super({});
    this.#perform = perform;
  }

  override checkProxy(): void {}

  override async open(outgoing: Outgoing): Promise<OpenAnswer> {
    const { status, headers, text } = await this.exchange(outgoing);
    return { status, headers, body: ReadableStream.from([Buffer.from(text)]) };
  }

  override async exchange(outgoing: Outgoing): Promise<HttpAnswer> {
    return await this.#perform(outgoing);
  }
}
