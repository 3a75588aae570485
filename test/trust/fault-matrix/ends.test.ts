import { expect, test } from "vitest";
import { brokenRules, type Met } from "./ends.ts";

const MET: Met = {
  purpose: "poll",
  host: "service",
  kind: "503",
  times: "once",
  end: "green",
  arrived: 2,
  isSaid: true,
  isNamed: true,
};

const WRONG: readonly [name: string, met: Partial<Met>, broken: RegExp][] = [
  [
    "a comment that fails the run",
    { purpose: "invitation", host: "github", end: "github-refused" },
    /^what is aside/,
  ],
  ["a good answer that is refused", { kind: "good", end: "invalid-response" }, /^a good answer/],
  ["a poll that is not sent again", { end: "service-unavailable" }, /^what passes/],
  [
    "a request that was not received, and is not sent again",
    { purpose: "create", kind: "unreached", end: "service-unavailable" },
    /^what passes/,
  ],
  [
    "a run without its permission",
    { purpose: "permission", host: "github", kind: "403", times: "for good" },
    /^the run succeeds/,
  ],
  ["GitHub blamed for the service", { times: "for good", end: "github-unavailable" }, /wrong host/],
  [
    "the service blamed for GitHub",
    { purpose: "find-comment", host: "github", times: "for good", end: "service-unavailable" },
    /wrong host/,
  ],
  [
    "a key that is called forbidden",
    { kind: "401", end: "forbidden", arrived: 1 },
    /not what the service said/,
  ],
  ["a key that is tried again", { kind: "401", end: "unauthorized" }, /clear refusal/],
  [
    "a job that may exist, as if it could not",
    { purpose: "create", end: "service-unavailable" },
    /not what has failed/,
  ],
  [
    "a limit that is called a failure",
    { kind: "429", purpose: "list-jobs", times: "for good", end: "service-unavailable" },
    /not what has failed/,
  ],
  [
    "a refusal of GitHub that is called a failure",
    { purpose: "find-comment", host: "github", kind: "403", end: "github-unavailable" },
    /the other way round/,
  ],
  ["a loop", { arrived: 401 }, /over and over/],
  [
    "doubt about a request that was refused",
    { purpose: "create", kind: "429", times: "for good", end: "create-uncertain" },
    /doubts/,
  ],
  [
    "a refusal of GitHub that is left out of the log",
    { purpose: "reaction", host: "github", kind: "403", times: "for good", isNamed: false },
    /GitHub's status/,
  ],
  ["a silent end", { purpose: "collect-poll", times: "for good", isSaid: false }, /not said/],
];

test.each(WRONG)("notices %s", (_, over, broken) => {
  expect(brokenRules({ ...MET, ...over })).toContainEqual(expect.stringMatching(broken));
});

test("an exception holds for its request, its fault and its end alone", () => {
  const busy: Met = { ...MET, purpose: "message", kind: "409" };
  expect(brokenRules(busy)).toEqual([]);
  expect(brokenRules({ ...busy, purpose: "create" })).not.toEqual([]);
  expect(brokenRules({ ...busy, kind: "410" })).not.toEqual([]);
  expect(brokenRules({ ...busy, end: "not-found" })).not.toEqual([]);
});
