import {
  asExchangeError,
  ExchangeError,
  type HttpAnswer,
  type OpenAnswer,
  type Outgoing,
  type TimeLimit,
} from "./exchange.ts";

/**
 * Applies time limits to the body of a response. They start now, even if nobody reads the body yet. The body can be
 * read once. This is not an async generator: a generator would keep its whole exchange in memory until V8 collects the
 * old generation, and with a thousand exchanges the young generation grows (docs/performance.md).
 *
 * @param limit the limit of the exchange, which is restarted for the body
 */
export function limitBody(
  body: AsyncIterable<Uint8Array>,
  limit: TimeLimit,
  { url, bodyLimit, idleLimit }: Pick<Outgoing, "url" | "bodyLimit" | "idleLimit">,
): AsyncIterable<Uint8Array> {
  const end = performance.now() + bodyLimit;
  const restart = () => {
    const rest = Math.max(0, end - performance.now());
    if (idleLimit !== undefined && idleLimit < rest) limit.restart(idleLimit, "idle-limit");
    else limit.restart(rest, "time-limit", bodyLimit);
  };
  restart();
  const chunks = body[Symbol.asyncIterator]();
  const take = async (what: "next" | "return"): Promise<IteratorResult<Uint8Array>> => {
    try {
      const taken = (await chunks[what]?.()) ?? OVER;
      if (what === "return" || taken.done) limit.clear();
      else if (idleLimit !== undefined) restart();
      return taken;
    } catch (error) {
      const failure = asExchangeError(error, { stage: "answer", limit, host: url.host });
      limit.clear();
      throw failure;
    }
  };
  const iterator = { next: () => take("next"), return: () => take("return") };
  return { [Symbol.asyncIterator]: () => iterator };
}

const OVER = { done: true, value: undefined } as const;

/**
 * Reads the whole body of a response.
 *
 * @throws ExchangeError with reason `size-limit` if the body is larger than `maxBytes`
 */
export async function readWhole(
  { status, headers, body }: OpenAnswer,
  maxBytes: number,
): Promise<HttpAnswer> {
  const chunks: Uint8Array[] = [];
  const count = atMost(maxBytes);
  try {
    for await (const chunk of body) {
      count(chunk);
      chunks.push(chunk);
    }
  } catch (error) {
    // The status of an error is enough, so its body may be missing.
    if (status >= 200 && status < 300) throw error;
    return { status, headers, text: "" };
  }
  // Unlike a Buffer, this removes a byte order mark.
  return { status, headers, text: new TextDecoder().decode(Buffer.concat(chunks)) };
}

/**
 * Passes on a body.
 *
 * @throws ExchangeError with reason `size-limit` if the body is larger than `maxBytes`
 */
export async function* upTo(
  maxBytes: number,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const count = atMost(maxBytes);
  for await (const chunk of body) {
    count(chunk);
    yield chunk;
  }
}

/** Counts the bytes of a body, and throws if there are too many. */
function atMost(maxBytes: number): (chunk: Uint8Array) => void {
  let bytes = 0;
  return ({ byteLength }) => {
    bytes += byteLength;
    if (bytes <= maxBytes) return;
    throw new ExchangeError(
      "answer",
      "size-limit",
      `the response is larger than ${maxBytes} bytes`,
    );
  };
}
