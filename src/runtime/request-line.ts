import type { ExchangeError } from "../net/http.ts";
import { oneLine } from "../text/one-line.ts";
import type { Secrets } from "../text/secrets.ts";

/** What is told of a request. Headers and bodies are not even handed over. */
export interface LoggedRequest {
  method: string;
  url: URL;
}

/** How a request came out, as far as the debug log tells. */
export type RequestOutcome =
  /** The answer's status and headers are there. */
  | { status: number; requestId: string | undefined }
  /** It ended without a whole answer. */
  | { error: ExchangeError };

/** Longest address, and longest reason, in characters. */
const MAX_TEXT = 500;

/** Which headers hold an answer's ID, of GitHub and of services; the first one that is there counts. */
const REQUEST_ID = ["x-github-request-id", "x-request-id"];

/** What a request ID may look like; any other value of such a header is not shown. */
const READABLE_ID = /^(?!.*::)[\w.:*/+=-]{1,100}$/;

/** Query parameters whose values are shown if they are numbers: they say which page was asked for. */
const PAGING = ["page", "per_page", "skip", "take"];

/** The ID under which the other side keeps a request; undefined if its answer names none. */
export function requestIdOf(headers: Readonly<Record<string, string>>): string | undefined {
  return REQUEST_ID.map((name) => headers[name]).find((value) => value !== undefined);
}

/**
 * A request, or how it ended, as one line for the debug log: method, address, status, duration, request ID.
 * Of the query, values are left out unless they tell a page. Secrets are taken out before anything is cut.
 *
 * @param milliseconds since the request was made
 */
export function requestLine(
  { method, url }: LoggedRequest,
  outcome: RequestOutcome,
  milliseconds: number,
  secrets: Secrets,
): string {
  const shown = (text: string) => oneLine(text, MAX_TEXT, secrets);
  // The host tells GitHub, the service and a proxy's failures apart. User and password are no part of it.
  const at = shown(`${method} ${url.protocol}//${url.host}${url.pathname}${queryOf(url)}`);
  const after = `after ${Math.max(0, Math.round(milliseconds))} ms`;
  if ("error" in outcome) {
    const { stage, reason, message } = outcome.error;
    return `${at}: ${STAGE_WORDS[stage]} ${after} (${reason}: ${shown(message)})`;
  }
  const { status, requestId } = outcome;
  return `${at}: ${status} ${after}, ${idText(requestId, secrets)}`;
}

/** How far a request came that got no whole answer, in words. */
const STAGE_WORDS: Record<ExchangeError["stage"], string> = {
  connect: "not sent, given up",
  sent: "sent, no answer",
  answer: "the answer broke off",
};

function idText(requestId: string | undefined, secrets: Secrets): string {
  if (requestId === undefined) return "no request ID";
  const shown = secrets.redact(requestId);
  return READABLE_ID.test(shown) ? `request ID ${shown}` : "request ID unreadable";
}

function queryOf({ searchParams }: URL): string {
  const shown = [...searchParams].map(([name, value]) => {
    const isPage = PAGING.includes(name) && /^\d{1,9}$/.test(value);
    return isPage ? `${name}=${value}` : `${/^[a-z_]{1,20}$/.test(name) ? name : "…"}=…`;
  });
  return shown.length === 0 ? "" : `?${shown.join("&")}`;
}
