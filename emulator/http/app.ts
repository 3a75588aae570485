/** What both emulators share: types of routes, reading and recording requests. */

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

/** More than any test needs; limits the memory of a local world that runs for days. */
const MAX_REQUESTS = 1000;

/** Reads a request's body for its route, and records everything that was received but the key. @throws HttpError 400 */
export async function recordRequest(requests: RecordedRequest[], call: Call): Promise<void> {
  // Nobody reads this answer; other errors would be written to the console.
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
