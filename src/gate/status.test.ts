import fc from "fast-check";
import { expect, test } from "vitest";
import { anyText } from "../../test/support/arbitrary.ts";
import { parsePathFilter } from "../text/path-filter.ts";
import type { GateRules } from "./inputs.ts";
import {
  errorStatus,
  groupStatus,
  headStatus,
  isSameStatus,
  verdictIn,
  verdictStatus,
} from "./status.ts";
import type { PullVerdict } from "./verdict.ts";

const LINK = "https://github.com/acme/docs/pull/7";
const RUN = "https://github.com/acme/code/actions/runs/1";
const paths = parsePathFilter("**");
if ("problem" in paths) throw new Error(paths.problem);
const RULES: GateRules = {
  paths,
  docsPaths: paths,
  ignoreLabels: [],
  ignoreAuthors: [],
  onlyLabels: [],
  ifNeeded: "error",
  docsPatterns: [],
};

function judged(over: Partial<PullVerdict>): PullVerdict {
  const url = "https://github.com/acme/code/pull/3";
  return {
    verdict: "needed",
    reason: { code: "no-docs" },
    job: null,
    number: 3,
    url,
    notes: [],
    ...over,
  };
}

test.each<[Partial<PullVerdict>, GateRules["ifNeeded"], string, string, string]>([
  [{}, "error", "failure", "needed: it changes no documentation", RUN],
  [{}, "warn", "success", "needed (only a warning): it changes no documentation", RUN],
  [
    { verdict: "not-needed", reason: { code: "label", label: "`x`" } },
    "error",
    "success",
    "not-needed: label x",
    RUN,
  ],
  [
    { verdict: "included", reason: { code: "docs", path: "docs/a.md" } },
    "error",
    "success",
    "included: docs/a.md",
    RUN,
  ],
  [
    { verdict: "excused", reason: { code: "excuse", login: "writer", words: "a test" } },
    "error",
    "success",
    "excused by writer: a test",
    RUN,
  ],
  [
    { verdict: "covered", job: { jobId: "1", prLink: LINK, ended: null } },
    "error",
    "success",
    "covered by docs pull request #7",
    LINK,
  ],
  [
    {
      verdict: "covered",
      reason: { code: "job" },
      job: { jobId: "1", prLink: null, ended: null },
    },
    "error",
    "success",
    "covered by a docs job",
    RUN,
  ],
  [
    { job: { jobId: "1", prLink: LINK, ended: "closed" } },
    "error",
    "failure",
    "needed: it changes no documentation",
    RUN,
  ],
])("the status of %j with if-needed: %s", (over, ifNeeded, state, description, targetUrl) => {
  const status = verdictStatus(judged(over), { ...RULES, ifNeeded }, RUN);
  expect(status).toEqual({ state, description, targetUrl });
  expect(verdictIn(description)).toBe(over.verdict ?? "needed");
});

test("a description is one line that GitHub accepts, for any reason", () => {
  fc.assert(
    fc.property(anyText(300), (path) => {
      const reason = { code: "docs", path } as const;
      const { description } = verdictStatus(judged({ reason }), RULES, "");
      expect(description.length).toBeLessThanOrEqual(140);
      expect(description).not.toMatch(/[\n\u{10000}-\u{10FFFF}]/u);
    }),
  );
});

test("the status of a group is that of the pull request that decides", () => {
  const all = [judged({ verdict: "included", number: 4 }), judged({})] as const;
  expect(groupStatus(all, RULES, RUN)).toEqual({
    state: "failure",
    description: "needed (#3 of 2 pull requests): it changes no documentation",
    targetUrl: RUN,
  });
});

test("the status of a head that several pull requests have is the strictest", () => {
  const own = judged({ verdict: "included", reason: { code: "docs", path: "docs/a.md" } });
  expect(headStatus([own], RULES, RUN)).toMatchObject({ description: "included: docs/a.md" });
  expect(headStatus([own, judged({ number: 4 })], RULES, RUN)).toMatchObject({
    state: "failure",
    description: "needed (#4 of 2 pull requests): it changes no documentation",
  });
});

test("the status of a pull request that could not be judged is an error with the reason", () => {
  expect(errorStatus("the key was not accepted", RUN)).toEqual({
    state: "error",
    description: "could not be judged: the key was not accepted",
    targetUrl: RUN,
  });
});

test("a status is the same if state, description and link are, but for a link to a run", () => {
  const status = verdictStatus(judged({}), RULES, LINK);
  const known = { ...status, setAt: 1 };
  expect(isSameStatus(known, status, RUN)).toBe(true);
  expect(isSameStatus({ ...known, state: "success" }, status, RUN)).toBe(false);
  expect(isSameStatus({ ...known, description: "" }, status, RUN)).toBe(false);
  expect(isSameStatus({ ...known, targetUrl: null }, status, RUN)).toBe(false);
  expect(isSameStatus({ ...known, targetUrl: null }, { ...status, targetUrl: RUN }, RUN)).toBe(
    true,
  );
});
