import { Octokit } from "@octokit/core";
import type { Http, Outgoing } from "../net/http.ts";

/** Milliseconds for an answer of GitHub to begin, and then to arrive. */
const LIMIT = 15_000;
/** Largest answer that is read, in bytes: a page of a hundred long comments stays below it. */
const MAX_BYTES = 32 * 1024 * 1024;

export interface GitHubOptions {
  http: Http;
  token: string;
  apiUrl: URL;
  /** Stops every request. */
  signal: AbortSignal;
}

/** A client of GitHub's REST API that goes through the action's own HTTP: its limits and its proxies. */
export function createGitHub({ http, token, apiUrl, signal }: GitHubOptions): Octokit {
  const fetch = async (address: string, init: FetchInit) => {
    const url = new URL(address);
    const { status, headers, text } = await http.exchange(
      {
        method: init.method,
        url,
        headers: init.headers,
        body: init.body,
        headerLimit: LIMIT,
        bodyLimit: LIMIT,
        signal,
      },
      MAX_BYTES,
    );
    if (status >= 300 && status < 400) throw new Error(`GitHub answered ${status}, a redirect`);
    return {
      status,
      url: address,
      headers: new Map(Object.entries(headers)),
      text: async () => text,
    };
  };
  const baseUrl = apiUrl.href.replace(/\/+$/, "");
  const auth = token === "" ? {} : { auth: token };
  // Octokit logs what it thinks of a request; what matters of it is told where the request is made.
  const quiet = { debug() {}, info() {}, warn() {}, error() {} };
  return new Octokit({
    ...auth,
    baseUrl,
    userAgent: "docs-agent-action",
    request: { fetch },
    log: quiet,
  });
}

/** What Octokit hands to `fetch`, of which the action's own HTTP needs this much. */
interface FetchInit {
  method: Outgoing["method"];
  headers: Record<string, string>;
  body?: string;
}
