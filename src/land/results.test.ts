import { expect, test } from "vitest";
import {
  endedState,
  entryOf,
  factsOf,
  lastRead,
  NOW,
  pullOf,
} from "../../test/support/land-facts.ts";
import type { ActResult, DoneAct, LandAct, TrackedPull } from "./acts.ts";
import type { PullReading } from "./facts.ts";
import type { Entry } from "./ledger.ts";
import { entryAfterAll, reportedPull, stepAfter } from "./results.ts";
import { person, type Step, wait } from "./step.ts";

const PLACE = { url: pullOf({}).url, repository: "acme/docs", number: 7, isNamed: true };
const ID = `run ${PLACE.url}`;
const ORIGIN = { id: ID, place: PLACE, readAt: NOW };
const GIVEN = { ...ORIGIN, sha: "head", circumstances: "c" };
const MERGE: LandAct = { type: "merge", ...GIVEN, method: "squash" };
const ENQUEUE: LandAct = { type: "enqueue", ...GIVEN, pullId: "PR_7" };
const UPDATE: LandAct = { type: "update", ...GIVEN };
const CLOSE: LandAct = { type: "close", ...ORIGIN, circumstances: "c", text: "" };
const SEND: LandAct = { type: "follow-up", ...ORIGIN, jobId: "job_1", prompt: "" };
const RELEASE: LandAct = { type: "release", id: ID, place: PLACE };
const PREVIEW: LandAct = { type: "preview", id: ID, place: PLACE, branch: "b", head: "head" };

const FOLLOW_UP: Step = { type: "follow-up", about: "1 failed check", problems: [] };
const TO_MERGE: Step = { type: "merge" };
const TO_CLOSE: Step = { type: "close", reason: "Nothing has happened here." };
const QUEUED = wait("It was put into the merge queue.");
const UPDATED = wait(
  "GitHub brings its branch up to date with its base, and the next run goes on.",
);
const AGAIN = wait("The next run tries again.");
const WITHDRAWN: ActResult = { type: "withdrawn" };
const UNKNOWN: ActResult = { type: "uncertain", reason: "The answer is lost" };
const KEY_REFUSED: ActResult = {
  type: "refused",
  by: "key",
  error: { kind: "unauthorized", problem: "The key was refused.", advice: null },
};
const UNMERGEABLE = { type: "unmergeable", reason: "No.", circumstances: "c" } as const;
const CLOSED_TO_FOLLOW_UPS = person(
  "Its job accepts no follow-ups, so none about 1 failed check can be sent.",
);

test.each<[string, Step, LandAct, ActResult, Step]>([
  ["a follow-up", FOLLOW_UP, SEND, { type: "accepted" }, FOLLOW_UP],
  ["a follow-up at the limit", FOLLOW_UP, SEND, WITHDRAWN, AGAIN],
  ["a follow-up that was read for too long ago", FOLLOW_UP, SEND, { type: "outdated" }, AGAIN],
  ["a follow-up that reached the limit", FOLLOW_UP, SEND, { type: "limited" }, AGAIN],
  ["a follow-up to a busy job", FOLLOW_UP, SEND, { type: "busy" }, AGAIN],
  ["a follow-up with a refused key", FOLLOW_UP, SEND, KEY_REFUSED, AGAIN],
  ["a refused job", FOLLOW_UP, SEND, { type: "refused", by: "job" }, CLOSED_TO_FOLLOW_UPS],
  ["refused content", FOLLOW_UP, SEND, { type: "refused", by: "content" }, CLOSED_TO_FOLLOW_UPS],
  [
    "a follow-up that may have been received",
    FOLLOW_UP,
    SEND,
    UNKNOWN,
    wait("The follow-up may have been received. The next run checks the result."),
  ],
  ["a merge", TO_MERGE, MERGE, { type: "merged" }, TO_MERGE],
  ["a merge that came too late", TO_MERGE, MERGE, { type: "overtaken" }, AGAIN],
  ["a refused merge", TO_MERGE, MERGE, UNMERGEABLE, person("No.")],
  ["a refused close", TO_CLOSE, CLOSE, { ...UNMERGEABLE, type: "unclosable" }, person("No.")],
  ["joining a queue", { type: "enqueue" }, ENQUEUE, { type: "queued", head: "head" }, QUEUED],
  ["an update", { type: "update" }, UPDATE, { type: "updated", head: "head" }, UPDATED],
  ["a merge whose answer was lost", TO_MERGE, MERGE, { type: "not-done" }, AGAIN],
  ["a close", TO_CLOSE, CLOSE, { type: "closed" }, TO_CLOSE],
  ["a close that failed", TO_CLOSE, CLOSE, { type: "not-done" }, AGAIN],
  ["a preview that failed", TO_MERGE, PREVIEW, { type: "not-done" }, TO_MERGE],
  ["nothing", wait("It waits."), RELEASE, { type: "unchanged" }, wait("It waits.")],
])("what is said after %s", (_, step, act, result, expected) => {
  expect(stepAfter(step, [{ act, result }])).toEqual(expected);
});

const INTENT: Entry["intent"] = {
  decision: "run",
  at: "2026-11-22T12:00:00Z",
  followUp: { about: "1 failed check", head: "head", problems: ["check 1"] },
};

const READ: PullReading = { type: "read", facts: factsOf(), build: null };
const FOUND_MERGED: PullReading = {
  ...READ,
  facts: factsOf({ pull: pullOf({ state: endedState("merged") }) }),
};
const UNREAD: PullReading = {
  type: "unread",
  reason: "GitHub says `acme/hidden`.",
  plainReason: "It cannot be read.",
  isPassing: false,
};

function tracked(over: Partial<TrackedPull> = {}): TrackedPull {
  const entry = entryOf({ intent: INTENT });
  return { entry, reading: READ, step: FOLLOW_UP, needed: null, ...over };
}

test.each<[string, TrackedPull, DoneAct[], object]>([
  [
    "that a follow-up was about",
    tracked(),
    [{ act: SEND, result: { type: "accepted" } }],
    { state: "open", achieved: "accepted", step: FOLLOW_UP, entry: { followUps: [{}] } },
  ],
  [
    "that was merged",
    tracked({ step: TO_MERGE }),
    [{ act: MERGE, result: { type: "merged" } }],
    { state: "merged", achieved: "merged", step: TO_MERGE },
  ],
  [
    "whose acts were not begun: they are still to be done",
    tracked(),
    [SEND, RELEASE].map((act) => ({ act, result: WITHDRAWN })),
    { state: "open", achieved: null, step: FOLLOW_UP, entry: { followUps: [] } },
  ],
  [
    "that was read too long ago, in a run that was cancelled",
    tracked(),
    [
      { act: SEND, result: { type: "outdated" } },
      { act: RELEASE, result: WITHDRAWN },
    ],
    { state: "open", achieved: null, step: FOLLOW_UP, entry: { followUps: [] } },
  ],
  [
    "of which one act was not begun",
    tracked(),
    [
      { act: SEND, result: WITHDRAWN },
      { act: RELEASE, result: { type: "unchanged" } },
    ],
    { achieved: null, step: AGAIN },
  ],
  [
    "that was merged before",
    tracked({ reading: FOUND_MERGED, step: { type: "ended" } }),
    [],
    { state: "merged", achieved: null },
  ],
  [
    "that could not be read",
    tracked({ reading: UNREAD }),
    [],
    {
      state: "open",
      achieved: null,
      reading: { type: "unread", plainReason: "It cannot be read." },
    },
  ],
])("the end of one %s", (_, pull, done, expected) => {
  expect(reportedPull(pull, done)).toMatchObject(expected);
});

test("an update and a place in the queue are remembered, once", () => {
  const entry = entryOf({ lastRead: lastRead(), needs: "Somebody." });
  const update = { act: UPDATE, result: { type: "updated", head: "head" } } as const;
  const queue = { act: ENQUEUE, result: { type: "queued", head: "head" } } as const;
  expect(entryAfterAll(entry, [update, update, queue])).toMatchObject({
    updated: [{ head: "head", headAt: entry.headAt }],
    queued: "head",
    needs: null,
  });
});
