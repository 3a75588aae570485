import fc from "fast-check";
import { expect, test } from "vitest";
import { ExchangeError } from "../../net/http.ts";
import { ActionError } from "../../runtime/errors.ts";
import { explainRefusal, isOfGitHub } from "./refusal.ts";

const PERMISSION = "issues: write";

/** As Octokit throws it. */
function refused(status: number, headers: Record<string, string> = {}, message = "Refused") {
  return Object.assign(new Error(message), { status, response: { headers } });
}

const explain = (thrown: unknown) => explainRefusal(thrown, PERMISSION);

test.each([
  [401, "`github-token` is invalid or has expired"],
  [403, `the token needs the permission \`${PERMISSION}\``],
  [404, `it was not found, or the token lacks the permission \`${PERMISSION}\``],
  [410, "it was deleted, or issues are disabled"],
  [418, `check that the token has the permission \`${PERMISSION}\``],
  [422, "GitHub rejected the content. Check that the conversation is not locked"],
])("%i is final, and says what to check", (status, hint) => {
  const refusal = explain(refused(status));
  expect(refusal).toMatchObject({ isPassing: false });
  expect(refusal.isLimit).toBeUndefined();
  expect(refusal.why).toContain(`GitHub returned ${status}: ${hint}`);
});

test.each([
  ["429", refused(429)],
  ["403 with no requests left", refused(403, { "x-ratelimit-remaining": "0" })],
  ["403 that names a time", refused(403, { "retry-after": "60" })],
  ["403 that says so", refused(403, {}, "You have exceeded a secondary rate limit")],
])("%s is a rate limit: no other request is taken either", (_, error) => {
  expect(explain(error)).toMatchObject({
    isPassing: true,
    isLimit: true,
    why: expect.stringContaining("GitHub's rate limit is exceeded"),
  });
});

test("a 403 with requests left is none", () => {
  const error = refused(403, { "x-ratelimit-remaining": "4999" });
  expect(explain(error).isLimit).toBeUndefined();
});

test.each([500, 502, 503, 504])("%i passes", (status) => {
  expect(explain(refused(status))).toMatchObject({
    why: `GitHub returned ${status}`,
    isPassing: true,
  });
});

test("what broke off on the way passes, unless the run itself stopped it", () => {
  const lost = new ExchangeError("sent", "network", "the connection was lost");
  expect(explain(lost)).toMatchObject({ why: "the connection was lost", isPassing: true });
  const stopped = new ExchangeError("sent", "stopped", "stopped by the run");
  expect(explain(stopped).isPassing).toBe(false);
  // Octokit makes a 500 of it, and keeps it as the cause.
  const wrapped = Object.assign(new Error("x", { cause: stopped }), { status: 500 });
  expect(explain(wrapped)).toMatchObject({ why: "stopped by the run", isPassing: false });
});

test("a redirect, which only the action's own `fetch` throws, is told as it is", () => {
  const error = Object.assign(new Error("GitHub returned 301, a redirect"), { status: 500 });
  expect(explain(error).why).toBe("GitHub returned 301, a redirect");
});

test("an answer that cannot be read passes, and is no error of the action", () => {
  const error = new TypeError("Cannot read properties of undefined");
  expect(explain(error)).toMatchObject({
    why: "GitHub's response could not be read",
    isPassing: true,
  });
  const all = [error, refused(502), new ActionError("internal", "Told"), new Error("Told")];
  expect(all.map(isOfGitHub)).toEqual([true, true, false, false]);
});

test("GraphQL's own words are told, as code", () => {
  const error = Object.assign(new Error("x"), { errors: [{ message: "No @team may read it" }] });
  expect(explain(error).why).toMatch(/^GitHub says `No @\W?team may read it`: .*permission/);
  expect(isOfGitHub(error)).toBe(true);
});

test("whatever GitHub answers: a refusal is explained, and only limits and failures of its own pass", () => {
  const header = fc.constantFrom<Record<string, string>>(
    {},
    { "retry-after": "1" },
    { "x-ratelimit-remaining": "0" },
    { "x-ratelimit-remaining": "1" },
  );
  fc.assert(
    fc.property(fc.integer({ min: 300, max: 599 }), header, (status, headers) => {
      const { why, isPassing, isLimit } = explain(refused(status, headers));
      expect(why).toContain(String(status));
      expect(isPassing).toBe(status >= 500 || isLimit === true);
      if (isLimit) expect([403, 429]).toContain(status);
    }),
  );
});
