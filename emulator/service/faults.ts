/** Faults: answers that a route gives in place of its own, or after it has done what was asked for. */

import * as z from "zod";
import { type Answer, type Steering, steer } from "./agent/steering.ts";

const JOB = "[^/]+/job";

const ROUTES = {
  "v2-create": new RegExp(`^POST /v2/agent/${JOB}$`),
  "v2-message": new RegExp(`^POST /v2/agent/${JOB}/[^/]+/message$`),
  "v2-get": new RegExp(`^GET /v2/agent/${JOB}/[^/]+$`),
  preview: /^POST \/v1\/project\/preview\/[^/]+$/,
  update: /^POST \/v1\/project\/update\/[^/]+$/,
  jobs: /^GET \/v1\/agent\/[^/]+\/jobs$/,
  "update-status": /^GET \/v1\/project\/update-status\/[^/]+$/,
};

/** An answer given in place of the route's own. */
export interface Fault {
  route: keyof typeof ROUTES;
  status: number;
  /** Default: once. */
  times?: number;
  /** Only for a request whose body has these words, such as those that a firewall refuses. */
  words?: string;
  /** The route does what was asked for, and only its answer is another one. */
  isAfter?: boolean;
  headers?: Record<string, string>;
  /** Sent as it is, as HTML if it begins so. Default: `{error: …}`. */
  body?: string;
}

/**
 * The first fault for a request, or the one that its prompt asks for; undefined for none. Counts as one of its times.
 *
 * @param steering unless the prompt says otherwise
 */
export function takeFault(
  { faults, steering }: { faults: Fault[]; steering: Steering },
  { method, path, body }: { method: string; path: string; body: string },
): Omit<Fault, "route"> | undefined {
  const isOf = (route: Fault["route"]) => ROUTES[route].test(`${method} ${path}`);
  const fault = faults.find(
    ({ route, times = 1, words = "" }) => times > 0 && isOf(route) && body.includes(words),
  );
  if (fault !== undefined) fault.times = (fault.times ?? 1) - 1;
  if (fault !== undefined || !(isOf("v2-create") || isOf("v2-message"))) return fault;
  const { prompt } = PROMPT.catch({ prompt: "" }).parse(parsed(body));
  return STEERED[steer(prompt, steering).answer];
}

const PROMPT = z.object({ prompt: z.string() });

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

const error = (message: string) => JSON.stringify({ error: message });
const NO_CREDITS = error("Your monthly credits are used up");

/** What a prompt can ask to be answered with. */
const STEERED: Partial<Record<Answer, Omit<Fault, "route">>> = {
  400: { status: 400, body: error("The prompt cannot be read") },
  402: { status: 402, body: NO_CREDITS },
  413: { status: 413, body: error("The prompt is too long") },
  422: { status: 422, body: error("The prompt cannot be processed") },
  credits: { status: 429, body: NO_CREDITS },
  firewall: { status: 403, body: "<!doctype html><title>Request blocked</title>" },
  lost: { status: 502, isAfter: true },
};

/** What a fault answers. */
export function answerOf({ status, headers = {}, body }: Omit<Fault, "route">) {
  const text = body ?? JSON.stringify({ error: `Emulated fault ${status}` });
  const type = text.startsWith("<") ? "text/html; charset=utf-8" : "application/json";
  return { status, headers: { "content-type": type, ...headers }, text };
}
