import { expect, test } from "vitest";
import {
  LINK,
  polled,
  review,
  revision,
  running,
  waiting,
} from "../../../test/support/ledger-examples.ts";
import type { PullEnd } from "../../github/changes/pull-state.ts";
import { takePoll } from "./polls.ts";

const BEFORE = "2026-11-22T11:59:59Z";

test.each<[title: string, pull: PullEnd | null, isTooLate: boolean]>([
  [
    "closed before the agent's commits",
    { state: "closed", lastCommitAt: BEFORE, hasLaterCommits: true },
    true,
  ],
  [
    "merged, with a branch of which nothing is known",
    { state: "merged", lastCommitAt: BEFORE, hasLaterCommits: null },
    true,
  ],
  [
    "merged, with an agent that needed no commit",
    { state: "merged", lastCommitAt: BEFORE, hasLaterCommits: false },
    false,
  ],
  [
    "closed after a commit",
    { state: "closed", lastCommitAt: "2026-11-22T12:00:00Z", hasLaterCommits: true },
    false,
  ],
  ["still open", { state: "open", lastCommitAt: null, hasLaterCommits: null }, false],
  [
    "of which nobody knows the commit",
    { state: "merged", lastCommitAt: null, hasLaterCommits: null },
    false,
  ],
  ["that cannot be read", null, false],
])("a docs pull request %s decides whether a follow-up was too late", (_, pull, isTooLate) => {
  const before = revision({ ...running(1, { isFollowUp: true }), reviews: [review()] });
  expect(waiting(takePoll(before, "b", polled("completed", LINK), { pull }))).toEqual(
    isTooLate ? [[["1#1"], 1]] : [],
  );
});
