/** What the emulators share: the shapes that `emulate` gives to routes, reading and recording requests. */

import type { EmulatorContext } from "emulate";
import { HttpError } from "./http-error.ts";

export type App = EmulatorContext<object>["app"];

export type Call = Parameters<Parameters<App["get"]>[1]>[0];

/** Name under which the text of a request's body is kept for its route. */
export const BODY = "body";

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

/** Reads a request's body for its route, and records everything that was received but the key. @throws HttpError 400 */
export async function recordRequest(requests: RecordedRequest[], call: Call): Promise<void> {
  // Nobody is left to read this answer; an error of this kind keeps the console quiet.
  const body = await call.req.text().catch(() => {
    throw new HttpError(400, "The body broke off");
  });
  call.set(BODY, body);
  const { method, url } = call.req;
  const { pathname: path, searchParams } = new URL(url);
  const { authorization, ...headers } = call.req.header();
  requests.push({ method, path, query: Object.fromEntries(searchParams), headers, body });
  if (requests.length > MAX_REQUESTS) requests.shift();
}
