import { GITHUB, SERVICE } from "../../emulator/local-world/memory-servers.ts";
import { Http, type HttpAnswer, type OpenAnswer, type Outgoing } from "../../src/net/http.ts";

/** The inputs that actions need whose requests are answered in this process. */
export const INPUTS_IN_PROCESS: Readonly<Record<string, string>> = {
  "api-key": "mint_test",
  "project-id": "docs",
  "base-url": SERVICE,
  "github-token": "ghs_test",
  "github-api-url": GITHUB,
};

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
