import type { Answer, ExchangeError } from "../net/http.ts";
import { type Failure, ServiceError } from "./errors.ts";

/** Longest message of the service that is passed on, in characters. */
const MAX_MESSAGE = 500;

/** What an exchange that broke off says of the request. */
export function failureOf(error: ExchangeError): Failure {
  if (error.reason === "size-limit") return { type: "unreadable" };
  if (error.reason === "stopped") return { type: "stopped", sent: error.stage !== "connect" };
  return { type: error.stage === "connect" ? "unreached" : "lost" };
}

/**
 * The error for an answer outside of success.
 *
 * @param at the request, as messages name it
 * @param redact takes the key out of what the service says
 */
export function refused(
  at: string,
  answer: Answer,
  retryAfter: number | undefined,
  redact: (text: string) => string,
): ServiceError {
  const { status } = answer;
  if (status < 400) {
    const location = originOf(answer.headers.location);
    return new ServiceError(
      { type: "redirect", status, location },
      `${at} was answered ${status}, a redirect${location === "" ? "" : ` to ${location}`}`,
      retryAfter,
    );
  }
  const message = redact(messageOf(answer.text));
  const said = message === "" ? "" : `: ${message}`;
  return new ServiceError(
    { type: "status", status, message },
    `${at} was answered ${status}${said}`,
    retryAfter,
  );
}

/** The `error` of the service's error body, on one line; other bodies say nothing that is passed on. */
function messageOf(text: string): string {
  try {
    const body = JSON.parse(text) as { error?: unknown; message?: unknown } | null;
    const message = body?.error ?? body?.message;
    if (typeof message !== "string") return "";
    return message.replace(/\s+/g, " ").trim().slice(0, MAX_MESSAGE);
  } catch {
    return "";
  }
}

/** Where a redirect leads, without path and query: they may hold anything. */
function originOf(location: string | undefined): string {
  return location !== undefined && URL.canParse(location) ? new URL(location).origin : "";
}

/** What came instead of JSON. */
export function describe(answer: Answer): string {
  if (answer.text.trim() === "") return "nothing";
  const type = answer.headers["content-type"]?.split(";", 1)[0]?.trim() ?? "";
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) ? `${type} that cannot be read` : "text";
}
