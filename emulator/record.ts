import { createHash } from "node:crypto";
import { bearer } from "./auth.ts";
import { ServiceError } from "./errors.ts";
import type { Call } from "./http.ts";

/** A request as it was received, without the key. */
export interface RecordedRequest {
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

/** Name under which a request's body, once read, is kept for its route. */
export const BODY = "body";

/** Enough for any test, and an end for a world that is kept up for days. */
const MOST_REQUESTS = 1000;

/** The hash by which a record tells which key was sent: SHA-256 in hex, its first 16 characters. */
export function keyHash(secret: string): string {
  return createHash("sha256").update(secret).digest("hex").slice(0, 16);
}

/** Reads a request's body for its route, and writes down all that was received but the key. */
export async function record(requests: RecordedRequest[], call: Call, now: number): Promise<void> {
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
  if (requests.length > MOST_REQUESTS) requests.shift();
}

async function readBytes(call: Call): Promise<Buffer> {
  try {
    return Buffer.from(await call.req.arrayBuffer());
  } catch {
    // Whoever sent it is gone, so this is told to nobody; it keeps the console quiet.
    throw new ServiceError(400, "The body broke off");
  }
}
