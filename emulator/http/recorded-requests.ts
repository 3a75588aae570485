/** What an emulator received, for tests and for the curious. */

import { BODY, type Call } from "./app.ts";
import { HttpError } from "./http-error.ts";

/** A request as it was received, without the key. */
export interface RecordedRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: string;
}

/** Enough for any test, and a bound on memory for a local world that stays up for days. */
const MAX_REQUESTS = 1000;

/**
 * Reads a request's body for its route, and records everything that was received but the key.
 *
 * @throws HttpError 400 when the client went away before it had sent the whole body.
 */
export async function recordRequest(requests: RecordedRequest[], call: Call): Promise<void> {
  const body = await readText(call);
  call.set(BODY, body);

  const url = new URL(call.req.url);
  const { authorization, ...headers } = call.req.header();
  requests.push({
    method: call.req.method,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers,
    body,
  });
  if (requests.length > MAX_REQUESTS) requests.shift();
}

async function readText(call: Call): Promise<string> {
  try {
    return Buffer.from(await call.req.arrayBuffer()).toString("utf8");
  } catch {
    // Nobody is left to read this answer; an error of this kind keeps the console quiet.
    throw new HttpError(400, "The body broke off");
  }
}
