import {
  ExchangeError,
  Http,
  type HttpAnswer,
  type OpenAnswer,
  type Outgoing,
} from "../net/http.ts";
import type { Env } from "../net/proxy.ts";
import type { Secrets } from "../text/secrets.ts";
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import { type RequestOutcome, requestIdOf, requestLine } from "./request-line.ts";

/** Where requests are told. */
export interface RequestLogging {
  log: Pick<Log, "debug">;
  clock: Pick<Clock, "now">;
  secrets: Secrets;
}

/**
 * HTTP that tells each request in the debug log: one line when the answer's headers are there or the request
 * has failed, and one more if the rest of the answer does not arrive. Only made when debug logging is on.
 */
export class DebugHttp extends Http {
  readonly #logging: RequestLogging;

  /** @param env where proxies are configured, as `process.env` has it */
  constructor(env: Env, logging: RequestLogging) {
    super(env);
    this.#logging = logging;
  }

  override async open(outgoing: Outgoing): Promise<OpenAnswer> {
    const tell = this.#begin(outgoing);
    const answer = await telling(() => super.open(outgoing), tell);
    tell({ status: answer.status, requestId: requestIdOf(answer.headers) });
    return { ...answer, body: toldBody(answer.body, tell) };
  }

  override async exchange(outgoing: Outgoing, maxBytes: number): Promise<HttpAnswer> {
    const tell = this.#begin(outgoing);
    return await telling(
      () => super.exchange(outgoing, maxBytes),
      (outcome) => {
        // Everything else has been told where it happened; this is noticed only by who reads the body.
        if ("error" in outcome && outcome.error.reason === "size-limit") tell(outcome);
      },
    );
  }

  /** @returns tells the request that begins now */
  #begin({ method, url }: Outgoing): (outcome: RequestOutcome) => void {
    const { log, clock, secrets } = this.#logging;
    const begun = clock.now();
    return (outcome) =>
      log.debug(requestLine({ method, url }, outcome, clock.now() - begun, secrets));
  }
}

/** Tells an exchange that breaks off; whatever else is thrown happens before anything is sent. */
async function telling<T>(
  work: () => Promise<T>,
  tell: (outcome: RequestOutcome) => void,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ExchangeError) tell({ error });
    throw error;
  }
}

async function* toldBody(
  body: AsyncIterable<Uint8Array>,
  tell: (outcome: RequestOutcome) => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    if (error instanceof ExchangeError) tell({ error });
    throw error;
  }
}
