import type { ExchangeError, HttpAnswer } from "../net/http.ts";
import { cut } from "../text/markdown.ts";
import type { Secrets } from "../text/secrets.ts";
import { MAX_MESSAGE } from "./agent.ts";
import { type Failure, ServiceError } from "./errors.ts";
import type { keyKindOf } from "./keys.ts";

/** What an exchange that broke off says of the request. */
export function failureOf(error: ExchangeError): Failure {
  if (error.reason === "size-limit") return { type: "unreadable" };
  if (error.reason === "stopped") return { type: "stopped", sent: error.stage !== "connect" };
  return { type: error.stage === "connect" ? "unreached" : "lost" };
}

/** A whole answer as it may be shown, kept and cut: without secrets. */
export interface SafeAnswer {
  status: number;
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>;
  /** The body's JSON; undefined when it is none. */
  value: unknown;
  /** Whether the body is nothing, or nothing but white space. */
  isEmpty: boolean;
}

/** Takes the secrets out of everything that an answer says, before anything else is done with it. */
export function safeAnswer({ status, headers, text }: HttpAnswer, secrets: Secrets): SafeAnswer {
  return {
    status,
    headers: safeHeaders(headers, secrets),
    value: secrets.redactValue(parseJson(text)),
    isEmpty: text.trim() === "",
  };
}

/** Headers without secrets. */
export function safeHeaders(
  headers: Readonly<Record<string, string>>,
  secrets: Secrets,
): Record<string, string> {
  const safe = Object.entries(headers).map(([name, value]) => [name, secrets.redact(value)]);
  return Object.fromEntries(safe) as Record<string, string>;
}

/** The value of a JSON text; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The error for an answer outside of success.
 *
 * @param at the request, as messages name it
 */
export function refused(
  at: string,
  { status, headers, value }: SafeAnswer,
  retryAfter: number | undefined,
  keyKind: ReturnType<typeof keyKindOf>,
): ServiceError {
  if (status < 400) {
    const location = originOf(headers.location);
    return new ServiceError(
      { type: "redirect", status, location },
      `${at} returned ${status}, a redirect${location === "" ? "" : ` to ${location}`}`,
      retryAfter,
    );
  }
  const message = messageOf(value);
  const said = message === "" ? "" : `: ${message}`;
  return new ServiceError(
    { type: "status", status, message, keyKind },
    `${at} returned ${status}${said}`,
    retryAfter,
  );
}

/** The `error` of the service's error body, on one line; other bodies say nothing that is passed on. */
function messageOf(value: unknown): string {
  const body = value as { error?: unknown; message?: unknown } | null | undefined;
  const message = body?.error ?? body?.message;
  if (typeof message !== "string") return "";
  return cut(message.replace(/\s+/g, " ").trim(), MAX_MESSAGE);
}

/** Where a redirect leads, without path and query: they may hold anything. */
function originOf(location: string | undefined): string {
  return location !== undefined && URL.canParse(location)
    ? cut(new URL(location).origin, MAX_MESSAGE)
    : "";
}

/** What came instead of JSON. */
export function describe({ headers, isEmpty }: SafeAnswer): string {
  if (isEmpty) return "nothing";
  const type = headers["content-type"]?.split(";", 1)[0]?.trim() ?? "";
  return /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type) ? `unreadable ${type}` : "text";
}
