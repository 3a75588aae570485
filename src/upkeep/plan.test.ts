import { expect, test } from "vitest";
import { ISSUE, MOMENT, SETTINGS } from "../../test/support/batch-reads.ts";
import {
  change,
  EMPTY,
  group,
  HALTED,
  LINK,
  NOW,
  polled,
  pullRead,
  review,
  runningBatch,
  source,
  unread,
} from "../../test/support/ledger-examples.ts";
import { contextOf } from "../../test/support/run-context.ts";
import { landed, sourceFacts, upkeepInputs } from "../../test/support/upkeep-examples.ts";
import { upkeepReadsOf } from "../../test/support/upkeep-reads.ts";
import type { Ledger } from "../batches/model/ledger.ts";
import { detailsOfKnown, type MergedChange } from "../github/changes/change-details.ts";
import { timeText, unchanged } from "../ledger/file.ts";
import { type OwnJob, ownJob } from "./owner-workflow.ts";
import { planUpkeep } from "./plan.ts";
import type { UpkeepReads } from "./reads.ts";

const KNOWN: Ledger = { ...EMPTY, sources: [source()] };
const AT = timeText(NOW);

function ownerOf({ workflow, job, commit, filters }: OwnJob): Ledger["ownerWorkflow"] {
  return { workflow, job, commit, digest: null, filters };
}

/** Plans a run. `answers`: in place of a branch that gained these changes. */
async function plan(
  over: Partial<Ledger>,
  changes: readonly MergedChange[] = [],
  values: Record<string, string> = {},
  answers: Partial<UpkeepReads> = {},
) {
  const inputs = upkeepInputs(values);
  const own = ownJob({}, contextOf("schedule"));
  const ledger: Ledger = { ...KNOWN, ownerWorkflow: ownerOf(own), ...over };
  const reads = upkeepReadsOf(changes, { pullState: async () => pullRead("open"), ...answers });
  const settings = { ...SETTINGS, inputs, own };
  const planned = await planUpkeep(unchanged(ledger), reads, MOMENT, settings);
  if (planned.type !== "plan") throw new Error(planned.type);
  const { notes, acts, ledger: after } = planned.plan;
  if (notes.type !== "decided") throw new Error(notes.type);
  return { acts, own: notes.own, ledger: after, before: notes.before, asked: reads.asked };
}

test("what landed is handed over in one request to a new job, with an intent", async () => {
  const { acts, ledger, before, own } = await plan({}, [change(1), change(2)]);
  expect(acts).toMatchObject([{ type: "start", id: "1-1-a.1.0", changes: [change(1), change(2)] }]);
  expect(acts[0]).toMatchObject({ prompt: expect.stringMatching(/Change 1[\s\S]*Change 2/) });
  expect(ledger.batches).toMatchObject([{ id: "1-1-a.1.0", state: "intended", attempt: 1 }]);
  expect(before.waiting).toHaveLength(2);
  expect(ledger.sources[0]?.sha).toBe("after-1#2");
  expect(own).toMatchObject({ warnings: [], sources: { unread: [], unfinished: [] } });
});

test("with the same answers, it is the same plan", async () => {
  const plans = [await plan({}, [change(1)]), await plan({}, [change(1)])];
  expect(plans[0]).toEqual(plans[1]);
});

test("the request has the workflow's own prompt, and at most its number of changes", async () => {
  const values = { prompt: "Write for beginners.", "max-changes": "1" };
  const { acts } = await plan({}, [change(1), change(2)], values);
  expect(acts).toMatchObject([
    { changes: [change(1)], prompt: expect.stringContaining("Write for beginners.") },
  ]);
});

test("a repository of which more landed than one run can read is named in what there is to say", async () => {
  const repository = { ...sourceFacts().repository, id: 2, fullName: "acme/far" };
  const value = sourceFacts({ repository, target: "b" });
  const far = async () => ({ type: "known", value }) as const;
  const { own } = await plan({}, [], {}, { place: far, source: far });
  expect(own.sources.unfinished).toEqual(["acme/far"]);
});

const followUp = { jobId: "draft", prLink: LINK };
test.each<[string, Partial<Ledger>, object, object]>([
  [
    "is another attempt",
    { waiting: [group(1, { attempts: 2 })] },
    { type: "start" },
    { attempt: 3, followUp: null },
  ],
  [
    "goes to the job of an open docs pull request",
    { waiting: [group(1)], reviews: [review()] },
    { type: "follow-up", jobId: "job" },
    { attempt: 1, followUp: null },
  ],
  [
    "follows up on a draft",
    { waiting: [group(1, { followUp })], reviews: [review({ jobId: "draft" })] },
    { type: "follow-up", jobId: "draft" },
    { attempt: 1, followUp },
  ],
])("a request %s", async (_, ledger, act, intent) => {
  const planned = await plan(ledger);
  expect(planned.acts).toMatchObject([{ changes: [change(1)], ...act }]);
  expect(planned.ledger.batches).toMatchObject([intent]);
});

const dependabots = { ...change(1), author: "dependabot[bot]" };
const busy = { poll: async () => polled("running") };
test.each<
  [string, Partial<Ledger>, readonly MergedChange[], Record<string, string>, object, object]
>([
  ["nothing landed", {}, [], {}, {}, { code: "nothing-new" }],
  ["a filter excludes all", {}, [dependabots], {}, {}, { code: "nothing-new" }],
  ["all wait for a release", {}, [change(1)], { after: "release" }, {}, { code: "nothing-new" }],
  [
    "a batch is at work",
    { batches: [runningBatch("b", [change(9)])] },
    [change(1)],
    { "max-changes": "5" },
    busy,
    { code: "at-work" },
  ],
  [
    "a docs pull request is open",
    { reviews: [review()] },
    [change(1)],
    { "open-pull-request": "hold" },
    {},
    { code: "docs-pull-open" },
  ],
  [
    "the limit of jobs is reached",
    { starts: [{ batch: "b", at: AT }] },
    [change(1)],
    { "max-jobs-per-day": "1" },
    {},
    { code: "daily-limit", most: 1 },
  ],
])("nothing is handed over if %s, but the branch is read", async (...row) => {
  const [, ledger, changes, values, answers, reason] = row;
  const planned = await plan(ledger, changes, values, answers);
  expect(planned).toMatchObject({ acts: [], own: { reason } });
  const last = changes.at(-1);
  const sha = last === undefined ? "a" : `after-${last.key}`;
  expect(planned.ledger.sources).toMatchObject([{ sha, readAt: null }]);
  expect(planned.own.warnings).toEqual("most" in reason ? [reason] : []);
});

test.each<[string, Partial<Ledger>, string]>([
  ["too many failures", { failures: HALTED }, "halted"],
  ["a batch at work", { batches: [runningBatch("b", [change(9)])] }, "at-work"],
])("after %s, no details are read, because nothing depends on them", async (_, over, code) => {
  const details = () => Promise.reject(new Error("details are read"));
  const planned = await plan(over, [change(1)], {}, { ...busy, details });
  expect(planned).toMatchObject({ acts: [], own: { reason: { code } } });
});

test("what the details of all candidates exclude is passed over, and nothing is handed over", async () => {
  const value = { ...detailsOfKnown(change(1)), labels: ["skip-docs"] };
  const planned = await plan(
    {},
    [change(1)],
    {},
    { details: async () => ({ type: "known", value }) },
  );
  expect(planned).toMatchObject({ acts: [], own: { reason: { code: "nothing-new" } } });
  expect(planned.ledger).toMatchObject({
    waiting: [],
    passedOver: [{ change: change(1), reason: { code: "label", label: "skip-docs" } }],
  });
});

test("a change whose details cannot be read waits, and the run says so", async () => {
  const refused = await plan({}, [change(1)], {}, { details: async () => unread("refused") });
  expect(refused).toMatchObject({
    acts: [],
    own: { reason: { code: "changes-unread", count: 1 } },
  });
  expect(refused.ledger.waiting).toHaveLength(1);
  const limited = await plan({}, [change(1)], {}, { details: async () => unread("limited") });
  expect(limited).toMatchObject({ acts: [], own: { reason: { code: "behind" } } });
  expect(limited.ledger.waiting).toHaveLength(1);
});

test("what waited for a release goes out once changes are handed over after their merge", async () => {
  const { acts } = await plan({ waiting: [group(1, { isReleased: false })] });
  expect(acts).toMatchObject([{ changes: [change(1)] }]);
});

const releaseTags = async () =>
  ({ type: "known", value: [{ name: "v1", sha: "a", isCommit: true }] }) as const;

test("what a release contains goes out in the same run that finds it", async () => {
  const value = { name: "v1", released: new Set([change(1).sha]), dropped: new Set<string>() };
  const release = async () => ({ type: "known", value }) as const;
  const { acts, ledger } = await plan(
    {},
    [change(1)],
    { after: "release" },
    { releaseTags, release },
  );
  expect(acts).toMatchObject([{ changes: [change(1)] }]);
  expect(ledger.sources).toMatchObject([{ release: "v1" }]);
});

test("a release that cannot be compared leaves the changes waiting, and is said", async () => {
  const release = async () => unread("refused", "no tag matches");
  const planned = await plan({}, [change(1)], { after: "release" }, { releaseTags, release });
  expect(planned.ledger.waiting).toMatchObject([{ isReleased: false }]);
  expect(planned.own.sources.unread).toMatchObject([
    { wanted: { repository: "acme/code" }, unread: { reason: "no tag matches" } },
  ]);
});

test("a source that cannot be read does not stop the others", async () => {
  const values = { repositories: "acme/other\nacme/code" };
  const value = sourceFacts({ landed: [landed(change(1))] });
  const planned = await plan({}, [], values, {
    source: async ({ repository }) =>
      repository === "acme/code" ? { type: "known", value } : unread("unanswered", "it failed"),
  });
  expect(planned.acts).toMatchObject([{ changes: [change(1)] }]);
  expect(planned.own.sources.unread).toMatchObject([{ wanted: { repository: "acme/other" } }]);
  expect(planned.ledger.sources).toMatchObject([{ readAt: null }]);
});

test("a run that could not read all sources notes when it read these", async () => {
  const values = { repositories: "acme/code\nacme/other" };
  let left = 8;
  const readsLeft = () => {
    left -= 3;
    return left;
  };
  const place: UpkeepReads["place"] = async ({ repository: fullName }) => {
    const id = fullName === "acme/code" ? 1 : 2;
    const { repository, ...value } = sourceFacts();
    return { type: "known", value: { ...value, repository: { ...repository, id, fullName } } };
  };
  const { ledger, own } = await plan({}, [], values, { readsLeft, place });
  expect(own).toMatchObject({ reason: { code: "behind", runs: 1 } });
  expect(ledger.sources).toMatchObject([{ readAt: "2026-11-22T12:00:00Z" }]);
});

test("a closed dashboard, or one of another issue, is asked for before all else", async () => {
  const value = { ...ISSUE, isClosed: true };
  const reads = upkeepReadsOf([], { dashboard: async () => ({ type: "known", value }) });
  const inputs = upkeepInputs();
  const own = ownJob({}, contextOf("schedule"));
  const ledger = {
    ...KNOWN,
    ownerWorkflow: ownerOf(own),
    batches: [runningBatch("b", [change(1)])],
  };
  const settings = { ...SETTINGS, inputs, own };
  expect(await planUpkeep(unchanged(ledger), reads, MOMENT, settings)).toMatchObject({
    type: "stopped",
    notes: { reason: { code: "paused" } },
  });
  expect(reads.asked).toEqual(["dashboard"]);
});
