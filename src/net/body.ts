import {
  asExchangeError,
  ExchangeError,
  type HttpAnswer,
  type OpenAnswer,
  type Outgoing,
  type TimeLimit,
} from "./exchange.ts";

/**
 * The body of an answer under its limits, which run from here on, whether or not anybody has begun to read.
 * It is read once. It is no async generator: each would keep its whole exchange in memory until V8 collects
 * the old generation, and with a thousand exchanges the young one grows (docs/performance.md).
 *
 * @param limit the exchange's; set anew for the body
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
 * Reads the whole body of an answer.
 *
 * @param maxBytes a longer body ends with reason `size-limit`
 * @throws ExchangeError
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
    // Outside of success the status alone has told the outcome; what the body says can be missed.
    if (status >= 200 && status < 300) throw error;
    return { status, headers, text: "" };
  }
  // In contrast to a Buffer, this passes over a byte order mark.
  return { status, headers, text: new TextDecoder().decode(Buffer.concat(chunks)) };
}

/**
 * A body that ends with reason `size-limit` when it grows larger than so many bytes.
 *
 * @throws ExchangeError
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

/** Counts the bytes of a body. Throws once there are more than so many. */
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
