import { expect, test } from "vitest";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { unread } from "../../test/support/facts.ts";
import { HttpInProcess } from "../../test/support/http-in-process.ts";
import type { GitHub } from "../github/api/client.ts";
import { ExchangeError } from "../net/exchange.ts";
import type { HttpAnswer, Outgoing } from "../net/http.ts";
import { asActionError } from "../runtime/errors.ts";
import { GitHubAsker } from "./ask.ts";

const ACCESS = { githubToken: "ghs_x", githubApiUrl: new URL("https://api.github.test") };

const askGitHub = ({ commits }: GitHub) =>
  commits.checkRuns({ repository: "acme/docs", ref: "main" });

/** A client of a GitHub that answers all requests in the same way, and the requests. */
function asking(answer: Partial<HttpAnswer>) {
  const requests: Outgoing[] = [];
  const http = new HttpInProcess(async (outgoing) => {
    requests.push(outgoing);
    return { status: 200, headers: {}, text: "{}", ...answer };
  });
  return { ask: new GitHubAsker(ACCESS, dependenciesOf({ http })), requests };
}

test.each([
  ["that answers", { headers: { "content-type": "application/json" } }],
  ["whose failures the client repeats", { status: 502 }],
  ["whose limits the client waits for", { status: 429, headers: { "retry-after": "0" } }],
  ["that redirects", { status: 307, headers: { location: "/elsewhere" } }],
])("a GitHub %s gets 38 requests at most", async (_, answer) => {
  const { ask, requests } = asking(answer);
  for (let nth = 0; nth < 50; nth += 1) await ask.read(askGitHub);
  expect(requests).toHaveLength(38);
  expect(await ask.read(askGitHub)).toMatchObject({
    type: "unread",
    reason: "it would take too many requests",
  });
});

test.each([
  [403, { cause: "refused", status: 403, reason: expect.stringContaining("`checks: read`") }],
  [404, { cause: "refused", status: 404, reason: expect.stringContaining("not found") }],
  [500, { cause: "unanswered", reason: "GitHub returned 500" }],
])("a read with %s is unread: %j", async (status, fact) => {
  const text = JSON.stringify({ message: "Resource not accessible by integration" });
  const { ask } = asking({ status, text, headers: { "content-type": "application/json" } });
  expect(await ask.read(askGitHub)).toMatchObject({ type: "unread", ...fact });
});

test("the time is GitHub's after its first answer", async () => {
  const { ask } = asking({ headers: { date: "Sun, 01 Feb 2026 00:00:00 GMT" } });
  expect(ask.now).toBe(Date.UTC(2026, 0, 1));
  await ask.read(askGitHub);
  expect(ask.now).toBe(Date.UTC(2026, 1, 1));
});

test.each([
  ["GitHub's refusal", async () => unread("refused"), "cancelled"],
  ["an answer that cannot be used", async () => unread("unusable"), "cancelled"],
  ["a mistake of ours", () => Promise.reject(new TypeError("x is not a function")), "internal"],
])("after a signal, %s ends the run as it should", async (_, answer, kind) => {
  const dependencies = dependenciesOf();
  const ask = new GitHubAsker(ACCESS, dependencies);
  const reading = ask.read(async () => {
    dependencies.cancellation.cancel();
    return await answer();
  });
  expect(asActionError(await reading.catch((thrown: unknown) => thrown)).kind).toBe(kind);
});

test("a GitHub that does not answer is not asked again and again", async () => {
  let requests = 0;
  const http = new HttpInProcess(async () => {
    requests += 1;
    throw new ExchangeError("sent", "network", "the connection was reset");
  });
  const ask = new GitHubAsker(ACCESS, dependenciesOf({ http }));
  for (let nth = 0; nth < 9; nth += 1) await ask.read(askGitHub);
  expect(requests).toBe(4);
  expect(await ask.read(askGitHub)).toMatchObject({
    type: "unread",
    reason: "GitHub does not answer",
  });
});
