import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { ExchangeError } from "../../net/http.ts";
import { readAnswer, UnusableAnswer } from "./answer.ts";
import { deliveryOf, kindOfUnread, refusalIn, type TokenPermissions, unreadOf } from "./explain.ts";
import type { GitHubFailure } from "./failure.ts";

const PERMISSIONS: TokenPermissions = ["issues: write"];

function refused(
  status: number,
  headers: Record<string, string> = {},
  message = "Refused",
): GitHubFailure {
  return { type: "refused", status, headers, message };
}

const refusedQuery = (...errors: { type?: string | undefined; message?: string }[]) =>
  ({ type: "graphql", errors }) as const;

const unanswered = (error: ExchangeError) => ({ type: "unanswered", error }) as const;

const explain = (failure: GitHubFailure) => refusalIn(failure, PERMISSIONS);

/** Whether a run that cannot do without an answer reports a refusal, which a write shows, too. */
function kindOf(failure: GitHubFailure) {
  const kind = kindOfUnread(unreadOf(failure, PERMISSIONS));
  const isRefused = deliveryOf(failure, PERMISSIONS).type === "refused";
  expect(isRefused).toBe(kind === "github-refused");
  return kind;
}

const OF_PERMISSION = "Resource not accessible by integration";

test.each([
  [401, "Bad credentials", "GitHub returned 401: `github-token` is invalid or has expired"],
  [
    403,
    OF_PERMISSION,
    "(`Resource not accessible by integration`): the token needs the permission `",
  ],
  [404, "Not Found", `GitHub returned 404: it was not found, or the token lacks the permission \``],
  [410, "This issue was deleted", "GitHub returned 410 (`This issue was deleted`): it was deleted"],
  [418, "Short and stout", "GitHub returned 418 (`Short and stout`)"],
  [422, "body is too long", "GitHub returned 422 (`body is too long`)"],
])("%i is final, and says GitHub's own words, and what to check", (status, message, words) => {
  const failure = refused(status, {}, message);
  const refusal = explain(failure);
  expect(refusal).toMatchObject({ type: "rest", status, message, isPassing: false });
  expect(kindOf(failure)).toBe("github-refused");
  expect(refusal.reason).toContain(words);
});

test.each([
  ["Repository was archived so is read-only.", {}],
  ["Must have push access to view collaborator permission.", {}],
  [
    "Although you appear to have the correct authorization credentials, the `acme` organization has an IP allow list enabled, and your IP address is not permitted to access this resource.",
    {},
  ],
  ["`acme` forbids access via a personal access token (classic).", {}],
  ["Commenting is disabled on issues with more than 2500 comments", {}],
  ["Unable to create comment because issue is locked.", {}],
  ["Max number of login attempts exceeded", {}],
  ["", {}],
])("a 403 that is not about permissions names none: %s", (message, headers) => {
  const { reason } = explain(
    refused(403, { ...headers, "x-accepted-github-permissions": "issues=write" }, message),
  );
  expect(reason).not.toContain("permission `");
  expect(reason).toContain(message.slice(0, 20));
});

test.each([
  ["a header", { "x-github-sso": "required; url=https://github.com/orgs/acme/sso" }, "Forbidden"],
  ["its words", {}, "Resource protected by organization SAML enforcement."],
])("a 403 about single sign-on, by %s, asks for that", (_, headers, message) => {
  const { reason } = explain(refused(403, headers, message));
  expect(reason).toMatch(/: authorize the token for the organization's single sign-on$/);
});

test.each([
  ["issues=write", "the permission `issues: write`"],
  [
    "issues=write; pull_requests=write",
    "the permission `issues: write`, or the permission `pull-requests: write`",
  ],
  ["contents=write,workflows=write", "the permissions `contents: write` and `workflows: write`"],
  ["", "the permission `issues: write`"],
  ["<b>=write", "the permission `issues: write`"],
])("a 403 about permissions names those that GitHub names: %j", (header, text) => {
  const headers = { "x-accepted-github-permissions": header };
  const { reason } = explain(refused(403, headers, OF_PERMISSION));
  expect(reason).toBe(`GitHub returned 403 (\`${OF_PERMISSION}\`): the token needs ${text}`);
});

test.each<[string, GitHubFailure]>([
  ["a limit", refused(429)],
  ["a limit's 403", refused(403, { "retry-after": "60" })],
  ["a failure", refused(502)],
  ["no answer", unanswered(new ExchangeError("sent", "network", "the connection was lost"))],
  ["a run that is stopped", unanswered(new ExchangeError("sent", "stopped", "stopped by the run"))],
  ["an answer of another shape", { type: "unusable", error: new UnusableAnswer("not readable") }],
])("%s is no refusal: GitHub is unavailable", (_, failure) => {
  expect(kindOf(failure)).toBe("github-unavailable");
});

test.each([
  ["429", refused(429)],
  ["403 with no requests left", refused(403, { "x-ratelimit-remaining": "0" })],
  ["403 that names a time", refused(403, { "retry-after": "60" })],
  ["403 that says so", refused(403, {}, "You have exceeded a secondary rate limit")],
  ["403 about abuse", refused(403, {}, "You have triggered an abuse detection mechanism.")],
  ["422 about abuse", refused(422, {}, 'Validation Failed: {"resource":"Issue","code":"abuse"}')],
  ["422 about speed", refused(422, {}, "Validation Failed: was submitted too quickly")],
])("%s is a rate limit: no other request is taken either", (_, error) => {
  expect(explain(error)).toMatchObject({
    type: "limited",
    isPassing: true,
    retryAfter: expect.any(Number),
    reason: expect.stringContaining("GitHub's rate limit is exceeded"),
  });
});

test.each<[TokenPermissions, string]>([
  [["issues: write"], "permission `issues: write`"],
  [["issues: write", "checks: read"], "permissions `issues: write` and `checks: read`"],
  [
    ["issues: write", "checks: read", "contents: read"],
    "permissions `issues: write`, `checks: read` and `contents: read`",
  ],
  [
    { onIssues: "issues: write", onPulls: "pull-requests: write" },
    "permission `issues: write`, or on pull requests `pull-requests: write`",
  ],
])("a 403 names the permissions that the token needs: %j", (permissions, text) => {
  const { reason } = refusalIn(refused(403, {}, OF_PERMISSION), permissions);
  expect(reason).toBe(`GitHub returned 403 (\`${OF_PERMISSION}\`): the token needs the ${text}`);
});

test("a 403 with requests left is none", () => {
  const error = refused(403, { "x-ratelimit-remaining": "4999" });
  expect(explain(error)).toMatchObject({ type: "rest", status: 403, isPassing: false });
});

test.each([500, 502, 503, 504])("%i passes", (status) => {
  expect(explain(refused(status))).toMatchObject({
    type: "rest",
    status,
    reason: `GitHub returned ${status}`,
    isPassing: true,
  });
});

test("what broke off on the way passes, unless the run itself stopped it", () => {
  const lost = new ExchangeError("sent", "network", "the connection was lost");
  const reason = "the connection was lost";
  expect(explain(unanswered(lost))).toEqual({ type: "unanswered", reason, isPassing: true });
  const stopped = new ExchangeError("sent", "stopped", "stopped by the run");
  expect(explain(unanswered(stopped))).toMatchObject({ type: "unanswered", isPassing: false });
});

const releases = z.array(z.object({ name: z.nullable(z.string()) }));

test("an answer is read as far as it is used, and may have further fields", () => {
  const answer = [{ name: "a", more: 1 }, { name: null }];
  expect(readAnswer(releases, answer)).toEqual([{ name: "a" }, { name: null }]);
});

test.each<[answer: unknown, place: string]>([
  [[{ name: "a" }, {}], " (at `1.name`)"],
  [[{ name: 7 }], " (at `0.name`)"],
  ["<html>", ""],
  [null, ""],
  [undefined, ""],
])("an answer that cannot be read passes, and says where: %j", (answer, place) => {
  const reason = `GitHub's response could not be read${place}`;
  const error = new UnusableAnswer(reason);
  expect(() => readAnswer(releases, answer)).toThrow(error);
  const refusal = explain({ type: "unusable", error });
  expect(refusal).toMatchObject({ type: "unanswered", reason, isPassing: true });
});

test("GraphQL's own words are shown, as code", () => {
  const error = refusedQuery({ message: "No @team may read it" });
  expect(explain(error).reason).toMatch(/^GitHub says `No @\W?team may read it`$/);
});

test.each([
  ["FORBIDDEN", "github-refused"],
  ["NOT_FOUND", "github-refused"],
  ["INSUFFICIENT_SCOPES", "github-refused"],
  ["UNPROCESSABLE", "github-refused"],
  ["SERVICE_UNAVAILABLE", "github-unavailable"],
  [undefined, "github-unavailable"],
])("a refusal of GraphQL of the type %s is %s", (type, kind) => {
  const failure = refusedQuery({ message: "One part" }, { type, message: "Another part" });
  const refusal = explain(failure);
  expect(refusal).toMatchObject({ type: "graphql", message: "One part" });
  expect(refusal.isPassing).toBe(kind === "github-unavailable");
  expect(kindOf(failure)).toBe(kind);
});

test("a refusal of GraphQL without a message is an answer all the same", () => {
  const failure = refusedQuery({ type: "FORBIDDEN" });
  const refusal = explain(failure);
  expect(refusal).toMatchObject({ type: "graphql", message: "", isPassing: false });
  expect(refusal.reason).toBe("GitHub says no reason");
  expect(kindOf(failure)).toBe("github-refused");
});

test.each([
  ["FORBIDDEN", "`acme` has an IP allow list enabled", "right"],
  ["INSUFFICIENT_SCOPES", "Your token lacks the scope", "right"],
  [undefined, OF_PERMISSION, "right"],
  ["UNPROCESSABLE", "Pull request is in clean status", "state"],
  ["NOT_FOUND", "Could not resolve to a node", "state"],
])("a write that GraphQL refuses as %s (%s) is by the %s", (type, message, by) => {
  const failure = refusedQuery({ type, message }, { type: "UNPROCESSABLE" });
  expect(deliveryOf(failure, PERMISSIONS)).toMatchObject({ type: "refused", by });
  expect(explain(failure).reason.includes("the token needs")).toBe(message === OF_PERMISSION);
});

test("a refusal with any answer is explained, and only limits and GitHub's own failures pass", () => {
  const header = fc.constantFrom<Record<string, string>>(
    {},
    { "retry-after": "1" },
    { "x-ratelimit-remaining": "0" },
    { "x-ratelimit-remaining": "1" },
  );
  fc.assert(
    fc.property(fc.integer({ min: 300, max: 599 }), header, (status, headers) => {
      const { type, reason, isPassing } = explain(refused(status, headers));
      expect(reason).toContain(String(status));
      expect(isPassing).toBe(status < 400 || status >= 500 || type === "limited");
      if (type === "limited") expect([403, 429]).toContain(status);
    }),
  );
});

test.each([
  ["an error about a part", { path: ["repository", "pullRequest"] }, 200],
  ["one about the repository", { path: ["repository"] }, null],
  ["one without a path", {}, null],
  [
    "a part that costs too much",
    { type: "RESOURCE_LIMITS_EXCEEDED", path: ["repository", "pullRequest"] },
    null,
  ],
])("%s is an answer about that part only where GitHub gave one", (_, error, status) => {
  const failure = { type: "graphql", errors: [{ message: "No", ...error }] } as const;
  expect(unreadOf(failure, PERMISSIONS).status).toBe(status);
});
