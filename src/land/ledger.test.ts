import fc from "fast-check";
import { expect, test } from "vitest";
import { anyText } from "../../test/support/arbitrary.ts";
import { CHANGE, entryOf, lastRead, NOW, timeBefore } from "../../test/support/land-facts.ts";
import { ledgerText, parseLedger } from "../ledger/file.ts";
import { type LandLedger, landFormat, type PullEntry } from "./ledger.ts";

const FORMAT = landFormat("project");
const LINK = "https://github.com/acme/docs/pull/6";
const AT = timeBefore(0);

/** A ledger with something in each of its fields. */
const LEDGER: LandLedger = {
  ...FORMAT.begin,
  ledgers: { "refs/docs-agent/upkeep/a": "abc" },
  requests: { "refs/docs-agent/upkeep/a": { "2026-11-21": 3 } },
  commentsFrom: AT,
  jobs: [{ id: "job_2", askedAt: null, at: AT, missingSince: AT, withoutPullSince: null }],
  open: [entryOf({ lastRead: lastRead(), changes: [CHANGE] })],
  ended: [
    {
      url: LINK,
      state: "merged",
      isByLand: true,
      openedAt: AT,
      endedAt: AT,
      isEditedByOthers: true,
      changes: 2,
      followUps: [AT],
    },
  ],
  unbuilt: [{ url: LINK, tries: 0, intent: null }],
};

const PREVIEW = { head: "head", state: "built", statusId: "s", url: "https://preview.example" };
const FOLLOW_UP = { at: AT, about: { conflict: 1 }, head: "head", isUncertain: false };

test.each<[string, object]>([
  ["open.0.url", { open: [{ ...entryOf(), url: "acme/docs#7" }] }],
  ["open.0.askedAt", { open: [{ ...entryOf(), askedAt: "issue 1" }] }],
  ["open.0.askedAt", { open: [{ ...entryOf(), askedAt: "" }] }],
  ["open.0.needs", { open: [{ ...entryOf(), needs: undefined }] }],
  ["open.0.lastRead.head", { open: [{ ...entryOf(), lastRead: { openedAt: AT } }] }],
  ["open.0.preview.state", { open: [{ ...entryOf(), preview: { ...PREVIEW, state: "lost" } }] }],
  ["open.0.preview.words", { open: [{ ...entryOf(), preview: { ...PREVIEW, state: "refused" } }] }],
  ["open.0.preview.url", { open: [{ ...entryOf(), preview: { ...PREVIEW, url: 1 } }] }],
  ["open.0.followUps.0.at", { open: [{ ...entryOf(), followUps: [{ ...FOLLOW_UP, at: 1 }] }] }],
  ["open.0.intent.followUp", { open: [{ ...entryOf(), intent: { decision: "run", at: AT } }] }],
  [
    "open.0.followUps.0.about",
    { open: [{ ...entryOf(), followUps: [{ ...FOLLOW_UP, about: "1 conflict" }] }] },
  ],
  ["open.0.needs", { open: [{ ...entryOf(), needs: { code: "unheard-of" } }] }],
  ["open.0.needs", { open: [{ ...entryOf(), needs: { code: "merge-refused" } }] }],
  ["jobs.0.askedAt", { jobs: [{ id: "job_2", askedAt: "issue 1", at: AT }] }],
  ["ended.0.state", { ended: [{ ...LEDGER.ended[0], state: "open" }] }],
  ["unbuilt.0.url", { unbuilt: [{ url: "", tries: 0, intent: null }] }],
  ["commentsFrom", { commentsFrom: "yesterday" }],
])("the place of a mistake is named: %s", (place, fields) => {
  const problem = `holds a ledger.json that cannot be read (at ${place})`;
  const text = JSON.stringify({ ...LEDGER, ...fields });
  expect(parseLedger(text, FORMAT, NOW)).toEqual({ problem });
});

test("a field that no ledger has is left out, such as the log of a build", () => {
  const failed = { ...PREVIEW, state: "failed" as const };
  const open: PullEntry[] = [entryOf({ preview: failed })];
  const stored = { ...LEDGER, open: [{ ...open[0], preview: { ...failed, log: "A secret" } }] };
  const ledger = { ...LEDGER, open };
  expect(parseLedger(JSON.stringify(stored), FORMAT, NOW)).toEqual({ ledger });
});

const text = anyText();
const maybe = fc.option(text);
const flag = fc.boolean();
const at = fc.constantFrom(AT, timeBefore(60_000));
const link = fc.constantFrom(LINK, "https://ghe.test:8443/a/b/pull/1?x=%20#y");
const is = <const T extends string>(...names: T[]) => fc.constantFrom(...names);
const listOf = <T>(entry: fc.Arbitrary<T>) => fc.array(entry, { maxLength: 3 });
const dictionary = <T>(value: fc.Arbitrary<T>) => fc.dictionary(is("a", "b"), value);

const preview = fc.oneof(
  fc.record({
    head: text,
    state: is("building", "built", "failed"),
    statusId: text,
    url: fc.option(text),
  }),
  fc.record({ head: text, state: is("refused"), words: text }),
  fc.record({ head: text, state: is("forgotten") }),
);
const counts = fc.record({ check: fc.nat(3), conflict: fc.nat(1) }, { requiredKeys: [] });
const reason = fc.oneof(
  fc.constant({ code: "blocked" } as const),
  fc.record({ code: is("merge-refused", "close-refused"), words: text }),
  fc.record({ code: is("too-many-files"), count: fc.nat(), most: fc.nat() }),
  fc.record({ code: is("unfixed"), problems: counts }),
);
const intent = fc.record({
  decision: text,
  at,
  followUp: fc.option(fc.record({ about: counts, head: text, problems: listOf(text) })),
  circumstances: maybe,
});
const entry = fc.record({
  url: link,
  repositoryId: fc.option(fc.nat()),
  jobId: text,
  jobMissingSince: fc.option(at),
  changes: listOf(fc.constant(CHANGE)),
  askedAt: fc.option(link),
  codePull: fc.option(fc.record({ url: text, branch: maybe })),
  lastRead: fc.option(fc.record({ openedAt: text, head: text })),
  foundAt: at,
  headAt: at,
  waiting: fc.option(fc.record({ code: is("blocked", "code-open"), from: at })),
  idleFrom: fc.option(at),
  agent: maybe,
  isEditedByOthers: flag,
  isSetUp: flag,
  asked: listOf(text),
  comment: fc.option(fc.record({ digest: text })),
  preview: fc.option(preview),
  followUps: listOf(fc.record({ at, about: counts, head: text, isUncertain: flag })),
  sent: listOf(text),
  isClosedToFollowUps: flag,
  isClosedToComments: flag,
  refused: fc.option(
    fc.record({
      act: is("merge", "close"),
      at,
      circumstances: text,
      isOfState: fc.boolean(),
      reason,
    }),
  ),
  isReminded: flag,
  closing: fc.option(reason),
  isReopened: flag,
  updated: listOf(fc.record({ head: text, headAt: at })),
  queued: maybe,
  needs: fc.option(reason),
  intent: fc.option(intent),
});

/** Any value of each field but the first ones, which say whose ledger it is. */
const anyFields = fc.record({
  ledgers: dictionary(text),
  requests: dictionary(dictionary(fc.nat(3))),
  commentsFrom: fc.option(at),
  jobs: listOf(
    fc.record({
      id: text,
      askedAt: fc.option(link),
      at,
      missingSince: fc.option(at),
      withoutPullSince: fc.option(at),
    }),
  ),
  open: listOf(entry),
  ended: listOf(
    fc.record({
      url: link,
      state: is("merged", "closed"),
      isByLand: flag,
      openedAt: fc.option(at),
      endedAt: at,
      isEditedByOthers: flag,
      changes: fc.nat(3),
      followUps: listOf(at),
    }),
  ),
  closed: listOf(fc.record({ at, entry })),
  unbuilt: listOf(
    fc.record({
      url: link,
      tries: fc.nat(3),
      intent: fc.option(fc.record({ decision: text, at })),
    }),
  ),
});

/** Written, it is read as it was, and would be written again byte for byte. */
function expectReadBack(ledger: LandLedger): void {
  const written = ledgerText(ledger);
  const parsed = parseLedger(written, FORMAT, NOW);
  expect(parsed).toEqual({ ledger });
  expect("ledger" in parsed && ledgerText(parsed.ledger)).toBe(written);
}

test("any ledger is read as it was written, and would be written byte for byte as it was read", () => {
  fc.assert(fc.property(anyFields, (fields) => expectReadBack({ ...FORMAT.begin, ...fields })));
});

test("a docs pull request that was found is written in the order in which it is read", () => {
  expectReadBack({ ...FORMAT.begin, open: [entryOf({ repositoryId: null })] });
});
