import { Octokit } from "@octokit/core";
import type { Http, HttpAnswer, Outgoing } from "../net/http.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import { withoutTrailingSlash } from "../text/link.ts";
import type { Secrets } from "../text/secrets.ts";
import type { Patience } from "./connect.ts";
import { limitDelay } from "./refusal.ts";

/** Time limit for the beginning of a response, and for the rest of it, in milliseconds. */
const LIMIT = 15_000;
/** Maximum size of a response, in bytes. A page of 100 long comments is smaller. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Delay before a failed GET is repeated, in milliseconds. */
const READ_AGAIN = 1_000;

interface GitHubOptions {
  http: Http;
  /** Removed from everything that GitHub returns or is sent; so is the token. */
  secrets: Secrets;
  token: string;
  apiUrl: URL;
  clock: Clock;
  /** Gets Octokit's warnings, for example about a deprecated route. */
  log: Pick<Log, "debug">;
  /** Stops every request. */
  signal: AbortSignal;
  /** Waits for rate limits to end; null: they are errors at once. */
  patience: Patience | null;
}

/** A client of GitHub's API that uses the action's HTTP, with its limits and proxies. */
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
    // Follows redirects of renamed or transferred repositories, but only within the same API.
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
  // The first reads of a run decide whether it starts a job. So they are worth a second attempt.
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
  // For maintainers of the action. The caller reports what a failure means for the run.
  const tell = (text: string) => options.log.debug(`Octokit: ${secrets.redact(String(text))}`);
  const log = { debug() {}, info() {}, warn: tell, error: tell };
  return new Octokit({
    ...auth,
    ...{ baseUrl, log },
    userAgent: "docs-agent-action",
    // Without this, deprecations go to the console.
    request: { fetch, log },
  });
}

/** A rate limit means that nothing was done. So every kind of request can be repeated. */
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

/** Maximum number of redirects per request. */
const MAX_REDIRECTS = 3;

/** Whether a response redirects within the same API. The token must not go elsewhere. */
function isMoved({ status, headers }: HttpAnswer, from: URL, times: number): boolean {
  const { location = "" } = headers;
  const isRedirect = status === 301 || status === 302 || status === 307 || status === 308;
  if (!isRedirect || times >= MAX_REDIRECTS || !URL.canParse(location, from.href)) return false;
  return new URL(location, from).origin === from.origin;
}

/** A body without secrets. A body that has none is not changed. */
function withoutSecrets(body: string, secrets: Secrets): string {
  const redacted = secrets.redact(body);
  if (redacted === body) return body;
  try {
    return JSON.stringify(secrets.redactValue(JSON.parse(body)));
  } catch {
    return redacted;
  }
}

/** The options that Octokit passes to `fetch` and the action uses. */
interface FetchInit {
  method: Outgoing["method"];
  headers: Record<string, string>;
  body?: string;
}
