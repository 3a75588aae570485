import { Octokit } from "@octokit/core";
import type { Http, HttpAnswer, Outgoing } from "../net/http.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import { withoutTrailingSlash } from "../text/link.ts";
import type { Secrets } from "../text/secrets.ts";
import type { Patience } from "./patience.ts";
import { limitDelay } from "./refusal.ts";

/** Milliseconds for an answer of GitHub to begin, and then to arrive. */
const LIMIT = 15_000;
/** Largest answer that is read, in bytes: a page of a hundred long comments stays below it. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Milliseconds until what could not be read is read once more. */
const READ_AGAIN = 1_000;

export interface GitHubOptions {
  http: Http;
  /** Taken out of all that GitHub says, and of all that is written there; so is the token. */
  secrets: Secrets;
  token: string;
  apiUrl: URL;
  clock: Clock;
  /** Is told what Octokit warns of, such as a route that GitHub has deprecated. */
  log: Pick<Log, "debug">;
  /** Stops every request. */
  signal: AbortSignal;
  /** Waits out rate limits; null: they are handed on at once. */
  patience: Patience | null;
}

/** A client of GitHub's REST API that goes through the action's own HTTP: its limits and its proxies. */
export function createGitHub(options: GitHubOptions): Octokit {
  const { http, token, apiUrl, clock, signal, patience } = options;
  const secrets = options.secrets.and(token);
  const fetch = async (address: string, init: FetchInit) => {
    const url = new URL(address);
    const { method, headers: sent } = init;
    const body = init.body === undefined ? undefined : withoutSecrets(init.body, secrets);
    const outgoing = {
      method,
      url,
      headers: sent,
      body,
      headerLimit: LIMIT,
      bodyLimit: LIMIT,
      signal,
    };
    const exchange = () => exchangePatiently(http, outgoing, patience);
    let answer = method === "GET" ? await readAgain(exchange) : await exchange();
    // What was renamed or transferred is read where it is now: at the same address of the API, or not at all.
    for (let times = 0; method === "GET" && isMoved(answer, outgoing.url, times); times++) {
      outgoing.url = new URL(answer.headers.location ?? "", outgoing.url);
      answer = await readAgain(exchange);
    }
    const { status, headers, text } = answer;
    if (status >= 300 && status < 400) throw new Error(`GitHub returned ${status}, a redirect`);
    return {
      status,
      url: address,
      headers: new Map(
        Object.entries(headers).map(([name, value]) => [name, secrets.redact(value)]),
      ),
      text: async () => withoutSecrets(text, secrets),
      // Octokit asks for this where the content type is neither JSON nor text.
      arrayBuffer: async () => Buffer.from(withoutSecrets(text, secrets)),
    };
  };
  // What a run finds out first decides whether there will be one job or two: worth another try.
  const readAgain = async (exchange: () => Promise<HttpAnswer>) => {
    try {
      const answer = await exchange();
      if (answer.status < 500) return answer;
    } catch (error) {
      if (signal.aborted) throw error;
    }
    await clock.sleep(READ_AGAIN, signal);
    return await exchange();
  };
  const baseUrl = withoutTrailingSlash(apiUrl);
  const auth = token === "" ? {} : { auth: token };
  // For whoever maintains the action: what it means for a run is told where the request is made.
  const tell = (text: string) => options.log.debug(`Octokit: ${secrets.redact(String(text))}`);
  const log = { debug() {}, info() {}, warn: tell, error: tell };
  return new Octokit({
    ...auth,
    ...{ baseUrl, log },
    userAgent: "docs-agent-action",
    // Deprecations go to the log of the request, or else to the console.
    request: { fetch, log },
  });
}

/** What a rate limit refuses was not done: it is asked for again, whatever it is. */
async function exchangePatiently(
  http: Http,
  outgoing: Outgoing,
  patience: Patience | null,
): Promise<HttpAnswer> {
  for (;;) {
    const answer = await http.exchange(outgoing, MAX_BYTES);
    const delay = limitDelay(answer.status, answer.headers, answer.text);
    if (delay === null || !(await patience?.wait(delay))) return answer;
  }
}

/** How many redirects of one request are followed. */
const MAX_REDIRECTS = 3;

/** Whether an answer names another place of the same API: the token goes nowhere else. */
function isMoved({ status, headers }: HttpAnswer, from: URL, times: number): boolean {
  const { location = "" } = headers;
  const isRedirect = status === 301 || status === 302 || status === 307 || status === 308;
  if (!isRedirect || times >= MAX_REDIRECTS || !URL.canParse(location, from.href)) return false;
  return new URL(location, from).origin === from.origin;
}

/** A body, of JSON or not, without secrets. Most have none: those stay byte for byte what they were. */
function withoutSecrets(body: string, secrets: Secrets): string {
  const redacted = secrets.redact(body);
  if (redacted === body) return body;
  try {
    return JSON.stringify(secrets.redactValue(JSON.parse(body)));
  } catch {
    return redacted;
  }
}

/** What Octokit hands to `fetch`, of which the action's own HTTP needs this much. */
interface FetchInit {
  method: Outgoing["method"];
  headers: Record<string, string>;
  body?: string;
}
