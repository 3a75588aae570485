import { pipeline, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { ExchangeError } from "./exchange.ts";

type Body = AsyncIterable<Uint8Array>;

const DECODERS: Record<string, (body: Body) => Body> = {
  gzip: (body) => through(createGunzip(), body),
  "x-gzip": (body) => through(createGunzip(), body),
  br: (body) => through(createBrotliDecompress(), body),
  deflate: (body) => through(createInflate(), body),
};

/**
 * Decodes a body. This module is loaded only for encoded responses, which no request asks for.
 *
 * @param encodings value of `Content-Encoding`; if one of them is unknown, the body is not decoded
 * @throws ExchangeError
 */
export async function* decode(
  body: Body,
  encodings: string,
  host: string,
): AsyncGenerator<Uint8Array> {
  const names = encodings
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());
  const decoders = names.map((name) => DECODERS[name]);
  let decoded = body;
  if (decoders.every((decoder) => decoder !== undefined)) {
    for (const decoder of decoders.reverse()) decoded = decoder(decoded);
  }
  try {
    yield* decoded;
  } catch (error) {
    if (error instanceof ExchangeError) throw error;
    const what = `the response of ${host} could not be decoded (${names.join(", ")})`;
    throw new ExchangeError("answer", "network", what, { cause: error });
  }
}

function through(decoder: Transform, body: Body): Body {
  // The reader gets the errors.
  return pipeline(body, decoder, () => {});
}
