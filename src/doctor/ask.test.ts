import { expect, test } from "vitest";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { HttpInProcess } from "../../test/support/http-in-process.ts";
import { UnusableAnswer } from "../github/api/answer.ts";
import { ExchangeError } from "../net/exchange.ts";
import type { HttpAnswer, Outgoing } from "../net/http.ts";
import { asActionError } from "../runtime/errors.ts";
import { GitHubAsker, Unanswered } from "./ask.ts";

const ACCESS = { githubToken: "ghs_x", githubApiUrl: new URL("https://api.github.test") };

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
  for (let nth = 0; nth < 50; nth += 1) await ask.read((github) => github.request("GET /meta"));
  expect(requests).toHaveLength(38);
  expect(await ask.read((github) => github.request("GET /meta"))).toEqual({
    type: "unknown",
    reason: "it would take too many requests",
  });
});

test.each([
  [403, { type: "refused", status: 403, reason: expect.stringContaining("`checks: read`") }],
  [404, { type: "refused", status: 404, reason: expect.stringContaining("not found") }],
  [500, { type: "unknown", reason: "GitHub returned 500" }],
])("a read with %s is an answer: %j", async (status, reading) => {
  const text = JSON.stringify({ message: "Resource not accessible by integration" });
  const { ask } = asking({ status, text, headers: { "content-type": "application/json" } });
  expect(await ask.read((github) => github.request("GET /meta"), ["checks: read"])).toEqual(
    reading,
  );
});

test("the time is GitHub's after its first answer", async () => {
  const { ask } = asking({ headers: { date: "Sun, 01 Feb 2026 00:00:00 GMT" } });
  expect(ask.now).toBe(Date.UTC(2026, 0, 1));
  await ask.read((github) => github.request("GET /meta"));
  expect(ask.now).toBe(Date.UTC(2026, 1, 1));
});

test.each([
  ["GitHub's refusal", new Unanswered("GitHub returned 502", "github-unavailable"), "cancelled"],
  ["an answer that cannot be used", new UnusableAnswer("GitHub returned no list"), "cancelled"],
  ["a mistake of ours", new TypeError("x is not a function"), "internal"],
])("after a signal, %s ends the run as it should", async (_, error, kind) => {
  const dependencies = dependenciesOf();
  const ask = new GitHubAsker(ACCESS, dependencies);
  const reading = ask.read(async () => {
    dependencies.cancellation.cancel();
    throw error;
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
  for (let nth = 0; nth < 9; nth += 1) await ask.read((github) => github.request("GET /meta"));
  expect(requests).toBe(4);
  expect(await ask.read((github) => github.request("GET /meta"))).toEqual({
    type: "unknown",
    reason: "GitHub does not answer",
  });
});
