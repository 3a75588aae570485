/** One call to a GitHub API: the least that the emulators and the tests need of a client. */

import { exchange } from "../http/exchange.ts";

export interface GitHubCall {
  method?: string;
  token?: string;
  body?: unknown;
  /** Error statuses that are an answer, not a failure: the result is then undefined. */
  allow?: number[];
}

/** @throws when GitHub refuses, with what it said. */
export async function callGitHub<Answer>(
  url: string,
  { method = "GET", token, body, allow = [] }: GitHubCall = {},
): Promise<Answer | undefined> {
  const { status, body: received } = await exchange(url, {
    method,
    headers: {
      accept: "application/vnd.github+json",
      "user-agent": "docs-agent-emulator",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = received.toString();
  if (status < 300) return text === "" ? undefined : (JSON.parse(text) as Answer);
  if (allow.includes(status)) return undefined;
  throw new Error(
    `GitHub answered ${status} to ${method} ${new URL(url).pathname}: ${text.slice(0, 200)}`,
  );
}
