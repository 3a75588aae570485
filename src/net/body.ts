import type { HttpAnswer, OpenAnswer, Outgoing } from "./exchange.ts";
import { asExchangeError, ExchangeError } from "./exchange-error.ts";
import type { TimeLimit } from "./time-limit.ts";

/**
 * The body of an answer under its limits, which run from here on, whether or not anybody has begun to read.
 *
 * @param limit the exchange's; set anew for the body
 */
export function limitBody(
  body: AsyncIterable<Uint8Array>,
  limit: TimeLimit,
  { url, bodyLimit, idleLimit }: Pick<Outgoing, "url" | "bodyLimit" | "idleLimit">,
): AsyncGenerator<Uint8Array> {
  const end = performance.now() + bodyLimit;
  const restart = () => {
    const rest = Math.max(0, end - performance.now());
    if (idleLimit !== undefined && idleLimit < rest) limit.restart(idleLimit, "idle-limit");
    else limit.restart(rest, "time-limit", bodyLimit);
  };
  restart();
  return (async function* () {
    try {
      for await (const chunk of body) {
        if (idleLimit !== undefined) restart();
        yield chunk;
      }
    } catch (error) {
      throw asExchangeError(error, { stage: "answer", limit, host: url.host });
    } finally {
      limit.clear();
    }
  })();
}

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
  try {
    for await (const chunk of upTo(maxBytes, body)) chunks.push(chunk);
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
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) {
      const message = `the response is larger than ${maxBytes} bytes`;
      throw new ExchangeError("answer", "size-limit", message);
    }
    yield chunk;
  }
}
