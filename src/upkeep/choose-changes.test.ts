import { expect, test } from "vitest";
import {
  change,
  EMPTY,
  group,
  LINK,
  NOW,
  review,
  revision,
  runningBatch,
  source,
} from "../../test/support/ledger-examples.ts";
import { landed, sourceFacts, upkeepInputs } from "../../test/support/upkeep-examples.ts";
import type { Ledger } from "../batches/model/ledger.ts";
import { detailsOfKnown, type MergedChange } from "../github/changes/change-details.ts";
import type { UpkeepFacts } from "./read-sources.ts";
import { chooseChanges } from "./upkeep.ts";

const KNOWN: Ledger = { ...EMPTY, sources: [source()] };

/** What upkeep read: changes that landed, with their details. */
function factsOf(changes: readonly MergedChange[], over: Partial<UpkeepFacts> = {}): UpkeepFacts {
  const details = new Map(changes.map((read) => [read.key, detailsOfKnown(read)]));
  const sources = [sourceFacts({ landed: changes.map((read) => landed(read)) })];
  return { sources, unread: [], isShort: false, details, ...over };
}

function choose(ledger: Partial<Ledger>, facts: UpkeepFacts, inputs: Record<string, string> = {}) {
  return chooseChanges(revision({ ...KNOWN, ...ledger }), facts, upkeepInputs(inputs));
}

test("what landed is handed over in one request to a new job, and waits until its intent is written", () => {
  const { handOvers, reason, revision: after } = choose({}, factsOf([change(1), change(2)]));
  expect(handOvers).toMatchObject([
    { changes: [change(1), change(2)], attempt: 1, followUp: null, jobId: null },
  ]);
  expect(handOvers[0]?.prompt).toMatch(/Change 1[\s\S]*Change 2/);
  expect(reason).toBe("idle");
  expect(after.ledger.waiting).toHaveLength(2);
  expect(after.ledger.sources[0]?.sha).toBe("after-1#2");
});

test("the request has the workflow's own prompt, and at most its number of changes", () => {
  const inputs = { prompt: "Write for beginners.", "max-changes": "1" };
  const { handOvers } = choose({}, factsOf([change(1), change(2)]), inputs);
  expect(handOvers).toMatchObject([{ changes: [change(1)] }]);
  expect(handOvers[0]?.prompt).toContain("Write for beginners.");
});

test("a repository of which more landed than one run can read is named in what there is to say", () => {
  const repository = { id: 2, fullName: "acme/far", defaultBranch: "main" };
  const sources = [sourceFacts(), sourceFacts({ repository, target: "b" })];
  expect(choose({}, factsOf([], { sources })).notes.unfinished).toEqual(["acme/far"]);
});

const again = group(1, { attempts: 2 });
const followUp = { jobId: "draft", prLink: LINK };
test.each<[string, Partial<Ledger>, object]>([
  ["is another attempt", { waiting: [again] }, { attempt: 3, followUp: null, jobId: null }],
  [
    "goes to the job of an open docs pull request",
    { waiting: [group(1)], reviews: [review()] },
    { attempt: 1, followUp: null, jobId: "job" },
  ],
  [
    "follows up on a draft",
    { waiting: [group(1, { followUp })], reviews: [review({ jobId: "draft" })] },
    { attempt: 1, followUp, jobId: "draft" },
  ],
])("a request %s", (_, ledger, expected) => {
  const { handOvers } = choose(ledger, factsOf([], { details: factsOf([change(1)]).details }));
  expect(handOvers).toMatchObject([{ changes: [change(1)], ...expected }]);
});

const dependabots = { ...change(1), author: "dependabot[bot]" };
test.each<[string, Partial<Ledger>, readonly MergedChange[], Record<string, string>, string]>([
  ["nothing landed", {}, [], {}, "idle"],
  ["a filter excludes all", {}, [dependabots], {}, "idle"],
  ["all wait for a release", {}, [change(1)], { after: "release" }, "idle"],
  [
    "a batch is at work",
    { batches: [runningBatch("b", [change(9)])] },
    [change(1)],
    { "max-changes": "5" },
    "busy",
  ],
  [
    "a docs pull request is open",
    { reviews: [review()] },
    [change(1)],
    { "open-pull-request": "hold" },
    "held",
  ],
  [
    "the limit of jobs is reached",
    { starts: [{ batch: "b", at: new Date(NOW).toISOString() }] },
    [change(1)],
    { "max-jobs-per-day": "1" },
    "limited",
  ],
])("nothing is handed over if %s, but the branch is read", (_, ledger, changes, inputs, reason) => {
  const choice = choose(ledger, factsOf(changes), inputs);
  expect(choice).toMatchObject({ handOvers: [], reason });
  const [last] = changes;
  const sha = last === undefined ? "a" : `after-${last.key}`;
  expect(choice.revision.ledger.sources).toMatchObject([{ sha, readAt: null }]);
});

test("the limit of jobs is a warning", () => {
  const starts = [{ batch: "b", at: new Date(NOW).toISOString() }];
  const { notes } = choose({ starts }, factsOf([change(1)]), { "max-jobs-per-day": "1" });
  expect(notes.warning).toContain("1 job in 24 hours");
});

test("what the details of all candidates exclude is passed over, and nothing is handed over", () => {
  const facts = factsOf([change(1)]);
  const details = new Map([["1#1", { ...detailsOfKnown(change(1)), labels: ["skip-docs"] }]]);
  const { handOvers, reason, revision: after } = choose({}, { ...facts, details });
  expect([handOvers, reason]).toEqual([[], "idle"]);
  expect(after.ledger).toMatchObject({
    waiting: [],
    passedOver: [{ change: change(1), reason: "label skip-docs" }],
  });
});

test("what waited for a release goes out once changes are handed over after their merge", () => {
  const waiting = [group(1, { isReleased: false })];
  const { details } = factsOf([change(1)]);
  const { handOvers } = choose({ waiting }, factsOf([], { details }));
  expect(handOvers).toMatchObject([{ changes: [change(1)] }]);
});

test("a run that could not read all sources notes when it read these, and which it could not read", () => {
  const unread = [{ repository: "acme/other", error: new Error("GitHub returned 502") }];
  const choice = choose({}, factsOf([], { isShort: true, unread }));
  expect(choice.revision.ledger.sources).toMatchObject([{ readAt: "2026-11-22T12:00:00Z" }]);
  expect(choice.notes.unread).toEqual(unread);
});
