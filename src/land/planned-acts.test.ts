import { expect, test } from "vitest";
import {
  APPROVED,
  CHANGE,
  factsOf,
  factsWith,
  judgedPull,
  landInputs,
  type PullFacts,
  pullOf,
  RED,
  reviewOf,
  SETTLED,
  timeBefore,
} from "../../test/support/land-facts.ts";
import { DECISION, planOf } from "../../test/support/land-plan.ts";
import { known } from "../runtime/fact.ts";
import { shortHash } from "../text/short-hash.ts";
import type { LandAct } from "./acts.ts";
import { commentText } from "./comment.ts";
import type { PullEntry } from "./ledger.ts";

const DAY = 24 * 60 * 60_000;
const PULL = pullOf({});
const { url: URL } = PULL;
const ID = `${DECISION} ${URL}`;
const PLACE = { url: URL, repository: "acme/docs", number: 7, isNamed: true };
const AT_HEAD = { head: "head", base: "main" };
const SAID = { comment: "true" };

const IDLE = factsWith({ createdAt: timeBefore(20 * DAY) });
const OLD: Partial<PullEntry> = { foundAt: timeBefore(20 * DAY), headAt: timeBefore(20 * DAY) };
const BY_ADA = { ...CHANGE, author: "ada" };
const SET_UP = {
  labels: ["docs"],
  assignees: ["maintainer"],
  reviewers: ["team:docs", "ada"],
  areAll: true,
};

test.each<[string, Partial<PullEntry>, PullFacts, Record<string, string>, object[]]>([
  ["that waits", {}, factsOf(), {}, []],
  [
    "that nothing was set for",
    { isSetUp: false, changes: [BY_ADA, { ...CHANGE, author: "renovate[bot]" }, BY_ADA] },
    factsOf(),
    { labels: "docs", assignees: "maintainer", reviewers: "team:docs\nauthors\nada" },
    [{ type: "set-up", ...SET_UP }],
  ],
  [
    "without a preview of its head",
    { preview: { head: "older", state: "refused", words: "No plan." } },
    factsOf(),
    { preview: "true" },
    [{ type: "preview", branch: "docs/retries", head: "head" }],
  ],
  [
    "whose head has a preview",
    { preview: { head: "head", state: "refused", words: "No plan." } },
    factsOf(),
    { preview: "true" },
    [],
  ],
  [
    "whose agent is at work",
    {},
    factsOf({ job: known({ isActive: true, prLink: null }) }),
    { preview: "true" },
    [],
  ],
  [
    "with a red check",
    {},
    RED,
    {},
    [
      {
        type: "follow-up",
        ...AT_HEAD,
        jobId: "job_1",
        prompt: expect.stringContaining("there is 1 failed check."),
        problems: ["check build on head"],
      },
    ],
  ],
  [
    "whose reviewer has approved it",
    { isSetUp: false },
    factsWith({ reviews: [reviewOf("Ada", "approved")] }),
    { reviewers: "ada\nbo" },
    [{ type: "set-up", labels: [], assignees: [], reviewers: ["bo"], areAll: true }],
  ],
  [
    "that is approved",
    {},
    APPROVED,
    { merge: "approved", "merge-method": "rebase" },
    [{ type: "merge", ...AT_HEAD, method: "rebase", message: null }],
  ],
  [
    "whose code was closed",
    { codePull: { url: "https://github.com/acme/api/pull/3", branch: null } },
    factsOf({ state: known({ state: "closed", head: "abc", base: "main" }) }),
    {},
    [
      { type: "close", ...AT_HEAD, reason: "code-closed" },
      {
        type: "explain",
        isClosed: false,
        text: expect.stringContaining("closed without merging. It was therefore closed."),
      },
    ],
  ],
  [
    "that nobody reviews",
    { ...OLD, asked: ["ada", "team:docs"] },
    IDLE,
    { "remind-after-days": "7" },
    [{ type: "remind", text: expect.stringContaining("@ada, @acme/docs: this docs pull request") }],
  ],
])("acts on one %s", async (_, over, facts, inputs, expected) => {
  const entry = { ...SETTLED, ...over };
  const plan = await planOf(entry, facts, inputs);
  const release = { type: "release" };
  const all = expected.length === 0 ? [] : [...expected, release];
  expect(plan.acts).toEqual(all.map((act) => ({ ...act, id: ID, place: PLACE })));
  expect(plan.ledger.open[0]?.intent?.decision ?? null).toBe(
    expected.length === 0 ? null : DECISION,
  );
});

const typesOf = (acts: readonly LandAct[]) => acts.map(({ type }) => type);

test("acts on one docs pull request come in their order, the comment after what it reports", async () => {
  const { acts } = await planOf({ ...SETTLED, isSetUp: false }, RED, { ...SAID, preview: "true" });
  expect(typesOf(acts)).toEqual(["set-up", "follow-up", "preview", "comment", "release"]);
  const old = await planOf({ ...SETTLED, ...OLD }, IDLE, {
    ...SAID,
    "remind-after-days": "7",
  });
  expect(typesOf(old.acts)).toEqual(["remind", "comment", "release"]);
});

test("a comment that says what it said before is no reason to act", async () => {
  const digest = shortHash(commentText(judgedPull({ entry: SETTLED }), landInputs()));
  const silent = await planOf({ ...SETTLED, comment: { digest } }, factsOf(), SAID);
  expect(silent.acts).toEqual([]);
  const { acts } = await planOf({ ...SETTLED, comment: { digest: "other" } }, factsOf(), SAID);
  expect(typesOf(acts)).toEqual(["comment", "release"]);
  const decision = { type: "wait", reason: { code: "merge-never" } };
  expect(acts[0]).toMatchObject({ subject: { entry: { url: URL }, decision } });
});

test("the intent names the follow-up, and the messages say what it is about", async () => {
  const { ledger, events } = await planOf(SETTLED, RED);
  expect(ledger.open).toMatchObject([
    {
      intent: {
        decision: DECISION,
        at: timeBefore(0),
        followUp: { about: { check: 1 }, head: "head", problems: ["check build on head"] },
        circumstances: null,
      },
      followUps: [],
      sent: [],
    },
  ]);
  expect(events).toEqual([`Send a follow-up about 1 failed check: ${URL}`]);
  const merged = await planOf(SETTLED, APPROVED, { merge: "approved" });
  expect(merged.events).toEqual([`Work on ${URL}`]);
  expect(merged.ledger.open[0]?.intent).toMatchObject({
    followUp: null,
    circumstances: expect.any(String),
  });
});
