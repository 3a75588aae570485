import { describe, expect, test } from "vitest";
import { ISSUE, SETTINGS } from "../../test/support/batch-reads.ts";
import {
  change,
  EMPTY,
  intendedBatch,
  LINK,
  NOW,
  pullRead,
  review,
  unread,
} from "../../test/support/ledger-examples.ts";
import { upkeepInputs } from "../../test/support/upkeep-examples.ts";
import { upkeepReadsOf } from "../../test/support/upkeep-reads.ts";
import type { HandOver } from "../batches/batch-program.ts";
import type { Batch, Ledger } from "../batches/model/ledger.ts";
import type { PresentQuestion, PresentState } from "../github/changes/present-state.ts";
import type { Fact } from "../runtime/fact.ts";
import { confirmHandOver } from "./confirm.ts";
import type { UpkeepReads } from "./reads.ts";

const BATCH = intendedBatch("b", [change(1)]);
const COMMON = { id: "b", changes: BATCH.changes, prompt: "Document it.", refusedBefore: 0 };
const START: HandOver = { ...COMMON, type: "start" };
const FOLLOW_UP: HandOver = { ...COMMON, type: "follow-up", jobId: "job" };
const SHOWN: Partial<Ledger> = { dashboard: { type: "open", number: 7 } };
const OPEN: Partial<Ledger> = { reviews: [review()] };

interface Present {
  labels?: Fact<readonly string[]>;
  docsPull?: Parameters<typeof pullRead>[0];
  visibility?: Readonly<Record<string, "public" | "internal" | "private">>;
}

function presentOf({ labels, docsPull, visibility = {} }: Present): PresentState {
  return {
    labels: () => labels ?? { type: "known", value: [] },
    docsPull: docsPull === undefined ? { type: "absent" } : pullRead(docsPull),
    repository: (name) => {
      const value = visibility[name];
      const id = name.startsWith("other/") ? 2 : 1;
      return value === undefined
        ? unread("refused")
        : { type: "known", value: { id, visibility: value } };
    },
  };
}

/** Confirms an act. @returns what has changed, and what was asked */
async function confirm(
  act: HandOver,
  over: Partial<Ledger>,
  present: Present | Fact<PresentState> = {},
  {
    values = {},
    batch = BATCH,
    ...answers
  }: {
    values?: Record<string, string>;
    batch?: Extract<Batch, { readonly state: "intended" }>;
  } & Partial<UpkeepReads> = {},
) {
  const questions: PresentQuestion[] = [];
  const reads = upkeepReadsOf([], {
    dashboard: async () => ({ type: "known", value: ISSUE }),
    present: async (question) => {
      questions.push(question);
      return "type" in present ? present : { type: "known", value: presentOf(present) };
    },
    ...answers,
  });
  const ledger: Ledger = { ...EMPTY, batches: [batch], ...over };
  const changed = await confirmHandOver(act, ledger, reads, {
    inputs: upkeepInputs(values),
    rules: SETTINGS.rules,
    place: SETTINGS.place,
    repository: "acme/code",
    serverUrl: "https://github.com",
    now: NOW,
  });
  return { changed, questions, asked: reads.asked };
}

test("nothing has changed: the labels are read once more, and the dashboard if there is one", async () => {
  const { changed, questions, asked } = await confirm(START, SHOWN);
  expect(changed).toBeNull();
  expect(asked).toEqual(["dashboard"]);
  expect(questions).toEqual([
    { repositories: [], changes: [{ repository: "acme/code", number: 1 }], docsPull: null },
  ]);
  expect((await confirm(START, {})).asked).toEqual([]);
});

test("what no fact can turn is sent without a question", async () => {
  const batch = { ...BATCH, attempt: 2 };
  const { changed, questions } = await confirm(START, {}, {}, { batch });
  expect({ changed, questions }).toEqual({ changed: null, questions: [] });
});

describe("of the dashboard", () => {
  const dashboardIs = async (value: typeof ISSUE) => {
    const dashboard: UpkeepReads["dashboard"] = async () => ({ type: "known", value });
    return (await confirm(START, SHOWN, {}, { dashboard })).changed;
  };

  test("a person may have closed it", async () => {
    const by = { closedBy: "octocat", closedAt: "2026-11-22" };
    expect(await dashboardIs({ ...ISSUE, isClosed: true, ...by })).toEqual({
      code: "paused",
      by: "octocat",
      at: "2026-11-22",
    });
    expect(await dashboardIs(ISSUE)).toBeNull();
  });

  test("a newer ledger may be shown by another run", async () => {
    const body = `<!-- docs-agent-ledger ${SETTINGS.place.ref} ${"a".repeat(40)} 9 -->`;
    expect(await dashboardIs({ ...ISSUE, body })).toEqual({ code: "other-run" });
  });
});

test.each<[string, HandOver, Partial<Ledger>, Present, Record<string, string>, string | null]>([
  ["is open still", FOLLOW_UP, OPEN, { docsPull: "open" }, {}, null],
  ["was merged", FOLLOW_UP, OPEN, { docsPull: "merged" }, {}, "docs-pull-changed"],
  ["was closed", FOLLOW_UP, OPEN, { docsPull: "closed" }, {}, "docs-pull-changed"],
  ["cannot be read now", FOLLOW_UP, OPEN, { docsPull: "unavailable" }, {}, null],
  ["may not be read", FOLLOW_UP, OPEN, { docsPull: "unread" }, {}, null],
  [
    "belongs to another job",
    FOLLOW_UP,
    { reviews: [review({ jobId: "other" })] },
    { docsPull: "open" },
    {},
    "docs-pull-changed",
  ],
  [
    "could not be read, and is open",
    FOLLOW_UP,
    { reviews: [review({ unread: { since: "", isPassing: true } })] },
    { docsPull: "open" },
    {},
    null,
  ],
  ["does not matter with new", START, OPEN, {}, { "open-pull-request": "new" }, null],
])("a docs pull request that %s", async (_, act, ledger, present, values, code) => {
  const { changed, questions } = await confirm(act, ledger, present, { values });
  expect(changed?.code ?? null).toBe(code);
  const asked = questions[0]?.docsPull ?? null;
  expect(asked).toEqual("docsPull" in present ? { repository: "acme/docs", number: 7 } : null);
});

test("the docs pull request of a draft decides for its follow-up", async () => {
  const followUp = { jobId: "draft", prLink: LINK };
  const batch = { ...BATCH, followUp };
  const act: HandOver = { ...FOLLOW_UP, jobId: "draft" };
  const ledger = { reviews: [review({ jobId: "draft" }), review({ prLink: `${LINK}1` })] };
  const open = await confirm(act, ledger, { docsPull: "open" }, { batch });
  expect(open.changed).toBeNull();
  // A change with a draft is not filtered.
  expect(open.questions).toEqual([
    { repositories: [], changes: [], docsPull: { repository: "acme/docs", number: 7 } },
  ]);
  const merged = await confirm(act, ledger, { docsPull: "merged" }, { batch });
  expect(merged.changed).toEqual({ code: "docs-pull-changed" });
});

test.each<[string, Fact<readonly string[]>, object | null]>([
  [
    "that excludes it now",
    { type: "known", value: ["docs", "Skip-Docs"] },
    { code: "excluded", place: "acme/code#1", by: { code: "label", label: "Skip-Docs" } },
  ],
  ["of another kind", { type: "known", value: ["docs"] }, null],
  ["that GitHub does not show", unread("refused"), null],
  [
    "that cannot be read now",
    unread("unanswered", "it failed"),
    { code: "unread", reason: "it failed" },
  ],
])("a change with a label %s", async (_, labels, expected) => {
  expect((await confirm(START, {}, { labels })).changed).toEqual(expected);
});

describe("of another repository", () => {
  const elsewhere = { ...change(1), repository: "acme/other" };
  const batch = intendedBatch("b", [elsewhere]);
  const act: HandOver = { ...START, changes: [elsewhere] };
  const own = { "acme/code": "internal" } as const;

  test.each<[string, NonNullable<Present["visibility"]>, boolean]>([
    ["public", { ...own, "acme/other": "public" }, false],
    ["as visible", { ...own, "acme/other": "internal" }, false],
    ["private", { ...own, "acme/other": "private" }, true],
    ["gone", own, true],
  ])("which is %s, changes are not handed over: %4$s", async (_, visibility, isHidden) => {
    const { changed, questions } = await confirm(act, {}, { visibility }, { batch });
    expect(changed).toEqual(isHidden ? { code: "less-visible", repository: "acme/other" } : null);
    expect(questions[0]?.repositories).toEqual(["acme/code", "acme/other"]);
  });
});

test("what cannot be read in passing is not spent on, what GitHub refuses for good is as before", async () => {
  const failing = await confirm(START, {}, unread("unanswered", "GitHub returned 502"));
  expect(failing.changed).toEqual({ code: "unread", reason: "GitHub returned 502" });
  expect((await confirm(START, {}, unread("refused"))).changed).toBeNull();
});

test("an intent that is no longer there is not sent", async () => {
  expect((await confirm(START, { batches: [] })).changed).toEqual({ code: "other-run" });
});
