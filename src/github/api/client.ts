import { Octokit } from "@octokit/core";
import * as z from "zod/mini";
import { ExchangeError, type Http, type HttpAnswer, type Outgoing } from "../../net/http.ts";
import type { Dependencies } from "../../runtime/dependencies.ts";
import { withoutTrailingSlash } from "../../text/link.ts";
import type { Secrets } from "../../text/secrets.ts";
import { readAnswer, UnusableAnswer } from "./answer.ts";
import type { Patience } from "./patience.ts";
import { limitDelay } from "./refusal.ts";

/** Time limit for the beginning of a response, and for the rest of it, in milliseconds. */
const LIMIT = 30_000;
/** Maximum size of a response, in bytes. A page of 100 long comments is smaller. */
const MAX_BYTES = 32 * 1024 * 1024;
/** The version of the API that the action is written for. GitHub would choose another one some day. */
const VERSION = { "x-github-api-version": "2022-11-28" };
/** Delay before a failed request is repeated, in milliseconds. */
const REPEAT_DELAY = 1_000;

const MAX_REDIRECTS = 3;

interface GitHubOptions extends Pick<Dependencies, "secrets" | "clock"> {
  http: Pick<Http, "exchange">;
  token: string;
  apiUrl: URL;
  /** Stops every request. */
  signal: AbortSignal;
  /** Waits for rate limits to end; if it is null, they are errors at once. */
  patience: Pick<Patience, "wait"> | null;
}

/**
 * A client of GitHub's API that uses the action's HTTP, with its limits and proxies. The secrets and the token are
 * removed from everything that GitHub returns or is sent.
 */
export function createGitHub(options: GitHubOptions): Octokit {
  const { token, apiUrl, signal } = options;
  const secrets = options.secrets.and(token);
  const fetch = async (address: string, init: Pick<Outgoing, "method" | "headers" | "body">) => {
    const { method } = init;
    const body = init.body === undefined ? undefined : withoutSecrets(init.body, secrets);
    const limits = { headerLimit: LIMIT, bodyLimit: LIMIT, maxBytes: MAX_BYTES, signal };
    const headersOfRequest = { ...init.headers, ...VERSION };
    const outgoing = { method, url: new URL(address), headers: headersOfRequest, body, ...limits };
    const isEdit = method === "PATCH" && /\/issues\/comments\/\d+$/.test(address);
    const answer = await (method === "GET"
      ? read(outgoing, options)
      : exchange(outgoing, options, isEdit));
    const { headers, text } = answer;
    // GraphQL returns limits with status 200, which the rest of the action knows by those of REST.
    const isLimited = limitDelay(answer.status, headers, text) !== null;
    const status = answer.status === 200 && isLimited ? 429 : answer.status;
    if (status >= 300 && status < 400) {
      throw new UnusableAnswer(`GitHub returned ${status}, a redirect`);
    }
    const shown = Object.entries(headers).map(([name, value]): [string, string] => [
      secrets.redact(name),
      secrets.redact(value),
    ]);
    return {
      status,
      url: address,
      headers: new Map(shown),
      text: async () => withoutSecrets(text, secrets),
      // Octokit asks for this where the content type is neither JSON nor text.
      arrayBuffer: async () => Buffer.from(withoutSecrets(text, secrets)),
    };
  };
  // Otherwise, Octokit writes about deprecated routes to the console.
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const github = new Octokit({
    // An empty one is none.
    auth: token,
    baseUrl: withoutTrailingSlash(apiUrl),
    log,
    userAgent: "docs-agent-action",
    request: { fetch, log },
  });
  // Octokit reads the fields of GraphQL's answers before anybody can check them.
  github.hook.after("request", ({ data, url }) => {
    if (url.endsWith("/graphql")) readAnswer(graphqlAnswer, data);
  });
  return github;
}

const graphqlAnswer = z.object({ errors: z.nullish(z.array(z.object({}))) });

/** GitHub keeps the logs of jobs on another host, and refuses the token there. */
const LOG = /\/actions\/jobs\/\d+\/logs$/;

/**
 * Follows redirects of renamed or transferred repositories, but only within the same API: the token goes along. Logs
 * are read elsewhere, without the token.
 */
async function read(
  outgoing: Outgoing,
  options: GitHubOptions,
  redirects = 0,
): Promise<HttpAnswer> {
  const answer = await exchange(outgoing, options, true);
  const { location } = answer.headers;
  const isRedirect = [301, 302, 307, 308].includes(answer.status) && redirects < MAX_REDIRECTS;
  if (!isRedirect || location === undefined) return answer;
  const url = URL.parse(location, outgoing.url.href);
  if (url === null) return answer;
  if (url.origin === outgoing.url.origin) {
    return await read({ ...outgoing, url }, options, redirects + 1);
  }
  const isLog = LOG.test(outgoing.url.pathname) && url.protocol === outgoing.url.protocol;
  if (!isLog) return answer;
  return await exchange({ ...outgoing, url, headers: {} }, options, true);
}

/**
 * A rate limit means that nothing was done. So every kind of request can be repeated after it.
 *
 * @param isRepeatable whether it is repeated once after a failure. The first reads of a run decide what it does, and
 *   the last edit of a comment shows its result. A repeated creation could leave two comments.
 */
async function exchange(
  outgoing: Outgoing,
  { http, patience, clock, signal }: GitHubOptions,
  isRepeatable: boolean,
): Promise<HttpAnswer> {
  for (let isLast = !isRepeatable; ; ) {
    const answer = await http.exchange(outgoing).catch((error: unknown) => {
      if (isLast || signal.aborted || !(error instanceof ExchangeError)) throw error;
      return null;
    });
    const delay = answer && limitDelay(answer.status, answer.headers, answer.text);
    if (delay !== null && (await patience?.wait(delay))) continue;
    if (answer !== null && (isLast || answer.status < 500)) return answer;
    isLast = true;
    await clock.sleep(REPEAT_DELAY, signal);
  }
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
