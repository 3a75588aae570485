/** What an emulator received, for tests and for the curious. */

import { createHash } from "node:crypto";
import { BODY, bearer, type Call } from "./app.ts";
import { HttpError } from "./http-error.ts";

/** A request as it was received, without the key. */
export interface RecordedRequest {
  /** When it arrived: ISO date and time. */
  at: string;
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  /** Which key was sent, by its {@link keyHash}; null: none. */
  keyHash: string | null;
  /** The body as text, and what its bytes were. */
  body: string;
  bodyBytes: number;
  bodySha256: string;
}

/** Enough for any test, and a bound on memory for a local world that stays up for days. */
const MAX_REQUESTS = 1000;

/** Identifies a key without showing it: SHA-256 in hex, its first 16 characters. */
export function keyHash(secret: string): string {
  return createHash("sha256").update(secret).digest("hex").slice(0, 16);
}

/**
 * Reads a request's body for its route, and records everything that was received but the key.
 *
 * @param now the time in milliseconds since 1970
 * @throws HttpError 400 when the client went away before it had sent the whole body.
 */
export async function recordRequest(
  requests: RecordedRequest[],
  call: Call,
  now: number,
): Promise<void> {
  const bytes = await readBytes(call);
  const body = bytes.toString("utf8");
  call.set(BODY, body);

  const url = new URL(call.req.url);
  const { authorization, ...headers } = call.req.header();
  const secret = bearer(authorization);
  requests.push({
    at: new Date(now).toISOString(),
    method: call.req.method,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers,
    keyHash: secret === undefined ? null : keyHash(secret),
    body,
    bodyBytes: bytes.byteLength,
    bodySha256: createHash("sha256").update(bytes).digest("hex"),
  });
  if (requests.length > MAX_REQUESTS) requests.shift();
}

async function readBytes(call: Call): Promise<Buffer> {
  try {
    return Buffer.from(await call.req.arrayBuffer());
  } catch {
    // Nobody is left to read this answer; an error of this kind keeps the console quiet.
    throw new HttpError(400, "The body broke off");
  }
}
