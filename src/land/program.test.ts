import { expect, test } from "vitest";
import {
  checkOf,
  commentOf,
  endedState,
  factsOf,
  factsWith,
  filesOf,
  landInputs,
  landLedger,
  type PullFacts,
  readsOf,
  reviewOf,
  SETTLED,
  timeBefore,
} from "../../test/support/land-facts.ts";
import { planOf } from "../../test/support/land-plan.ts";
import { needsConfirmation } from "../ledger/program.ts";
import { notSent } from "../runtime/delivery.ts";
import { ABSENT, known, type Unread } from "../runtime/fact.ts";
import type { LandAct } from "./acts.ts";
import type { LandLedger, PullEntry } from "./ledger.ts";
import { confirmAct } from "./program.ts";

const DAY = 24 * 60 * 60_000;
const CODE = { url: "https://github.com/acme/api/pull/3", branch: "main" };
const OLD = timeBefore(20 * DAY);
const RULES = {
  comment: "false",
  "hold-labels": "docs-hold",
  merge: "approved",
  "allowed-paths": "docs/**",
  "close-after-days": "14",
};
const INPUTS = landInputs(RULES);
const APPROVED = { reviews: [reviewOf("ada", "approved")] };
const ANOTHER_TOKEN = { ...APPROVED, reader: "docs-bot", mergeState: "behind" };
const RED = { checks: [checkOf({ state: "red", conclusion: "failure" })] };
const CLOSED = known({ state: "closed", head: "abc", base: "main" } as const);
const DRAFT: Partial<PullEntry> = { codePull: CODE };
const UNREAD: Unread = {
  type: "unread",
  cause: "unanswered",
  reason: "GitHub returned 502",
  isPassing: true,
  status: 502,
};

/** What the plan says, and the ledger with its intent. */
async function planned(
  facts: PullFacts,
  entry: Partial<PullEntry>,
): Promise<{ act: LandAct | undefined; ledger: LandLedger }> {
  const { acts, ledger } = await planOf({ ...SETTLED, ...entry }, facts, RULES);
  return { act: acts.find(needsConfirmation), ledger };
}

/** Plans on the first facts, and confirms on the second. */
async function confirmed(before: PullFacts, after: PullFacts, entry: Partial<PullEntry> = {}) {
  const { act, ledger } = await planned(before, entry);
  if (act === undefined || !needsConfirmation(act)) throw new Error("nothing is to be confirmed");
  const delivery = await confirmAct(act, ledger, readsOf(after), INPUTS);
  return { type: act.type, delivery };
}

const MERGE = factsWith(APPROVED);
const ENQUEUE = factsWith({ ...APPROVED, reader: "docs-bot", hasMergeQueue: true });
const UPDATE = factsWith(ANOTHER_TOKEN);
const SEND = factsWith(RED);
const CLOSE = factsOf({ state: CLOSED });
const IDLE = factsWith({ createdAt: OLD });
const SINCE_LONG: Partial<PullEntry> = { foundAt: OLD, headAt: OLD };

test.each<[string, PullFacts, Partial<PullEntry>]>([
  ["merge", MERGE, {}],
  ["enqueue", ENQUEUE, {}],
  ["update", UPDATE, {}],
  ["follow-up", SEND, {}],
  ["close", CLOSE, DRAFT],
  ["close", IDLE, SINCE_LONG],
])("%s: nothing has changed, so it is done", async (type, facts, entry) => {
  expect(await confirmed(facts, facts, entry)).toEqual({ type, delivery: null });
});

const OBJECTION = reviewOf("bo", "changes_requested", { id: "9" });
const SUCCESS = checkOf({});

test.each<[string, string, PullFacts, PullFacts, Partial<PullEntry>]>([
  ["merge", "an objection", MERGE, factsWith({ reviews: [...APPROVED.reviews, OBJECTION] }), {}],
  ["merge", "another head", MERGE, factsWith({ ...APPROVED, head: "new" }), {}],
  [
    "merge",
    "another head that is approved, too",
    MERGE,
    factsWith({ head: "new", reviews: [reviewOf("ada", "approved", { head: "new" })] }),
    {},
  ],
  ["merge", "a changed base", MERGE, factsWith({ ...APPROVED, base: "release" }), {}],
  [
    "merge",
    "a closed pull request",
    MERGE,
    factsWith({ ...APPROVED, state: endedState("closed") }),
    {},
  ],
  ["merge", "a red check", MERGE, factsWith({ ...APPROVED, ...RED }), {}],
  [
    "merge",
    "a title that skips workflows",
    MERGE,
    factsWith({ ...APPROVED, skipMarks: { inText: true, inCommits: false } }),
    {},
  ],
  ["merge", "a label that holds it", MERGE, factsWith({ ...APPROVED, labels: ["docs-hold"] }), {}],
  [
    "merge",
    "a base that was changed there and back",
    MERGE,
    factsWith({ ...APPROVED, baseChangedAt: timeBefore(0) }),
    {},
  ],
  [
    "merge",
    "another request for a review",
    MERGE,
    factsWith({ reviews: [reviewOf("ada", "approved", { isAskedAgain: true })] }),
    {},
  ],
  ["merge", "rules that want more", MERGE, factsWith({ ...APPROVED, lacksReviews: true }), {}],
  ["merge", "a conversion to a draft", MERGE, factsWith({ ...APPROVED, isDraft: true }), {}],
  ["merge", "a dismissed approval", MERGE, factsOf(), {}],
  [
    "merge",
    "an agent at work",
    MERGE,
    { ...MERGE, job: known({ isActive: true, prLink: null }) },
    {},
  ],
  [
    "merge",
    "a job that names another",
    MERGE,
    { ...MERGE, job: known({ isActive: false, prLink: null }) },
    {},
  ],
  ["merge", "a forgotten job", MERGE, { ...MERGE, job: ABSENT }, {}],
  ["merge", "other files", MERGE, { ...MERGE, files: known(filesOf("src/a.ts")) }, {}],
  ["merge", "GitHub that fails", MERGE, factsOf({ pull: UNREAD }), {}],
  ["merge", "a queue", MERGE, ENQUEUE, {}],
  [
    "enqueue",
    "a place in the queue",
    ENQUEUE,
    factsWith({ ...APPROVED, reader: "docs-bot", hasMergeQueue: true, isInMergeQueue: true }),
    {},
  ],
  ["update", "an updated branch", UPDATE, factsWith({ ...ANOTHER_TOKEN, mergeState: "clean" }), {}],
  ["follow-up", "a check that succeeded", SEND, factsWith({ checks: [SUCCESS] }), {}],
  [
    "follow-up",
    "a closed pull request",
    SEND,
    factsWith({ ...RED, state: endedState("closed") }),
    {},
  ],
  ["follow-up", "a push by somebody else", SEND, factsWith({ ...RED, isEditedByOthers: true }), {}],
  ["follow-up", "code that was closed", SEND, { ...SEND, state: CLOSED }, DRAFT],
  [
    "close",
    "code that was reopened",
    CLOSE,
    factsOf({ state: known({ state: "open", head: "abc", base: "main" }) }),
    DRAFT,
  ],
  ["close", "code that cannot be read", CLOSE, factsOf({ state: UNREAD }), DRAFT],
  [
    "close",
    "a comment",
    IDLE,
    factsWith({ createdAt: OLD, lastActivityAt: timeBefore(0) }),
    SINCE_LONG,
  ],
  [
    "close",
    "another reason to close it",
    CLOSE,
    factsWith({ createdAt: OLD, lastActivityAt: OLD }),
    { ...DRAFT, ...SINCE_LONG },
  ],
])("%s: %s means that nothing is done", async (type, _, before, after, entry) => {
  expect(await confirmed(before, after, entry)).toEqual({ type, delivery: notSent("changed") });
});

test("a follow-up is sent although more has come, which the next one is about", async () => {
  const more = factsWith({ ...RED, openComments: [commentOf("ada")] });
  expect((await confirmed(SEND, more)).delivery).toBeNull();
  expect((await confirmed(more, SEND)).delivery).toEqual(notSent("changed"));
});

test("another run's intent, or none, is nothing that this run may act on", async () => {
  const { act, ledger } = await planned(MERGE, {});
  if (act === undefined || !needsConfirmation(act)) throw new Error("nothing is to be confirmed");
  const [entry = SETTLED] = ledger.open;
  const others = { ...entry, intent: entry.intent && { ...entry.intent, decision: "other" } };
  for (const open of [[others], [{ ...entry, intent: null }], []]) {
    const delivery = await confirmAct(act, landLedger(open), readsOf(MERGE), INPUTS);
    expect(delivery).toEqual(notSent("changed"));
  }
});

test("what can turn the answer is read, and nothing else", async () => {
  const { act, ledger } = await planned(MERGE, {});
  if (act === undefined || !needsConfirmation(act)) throw new Error("nothing is to be confirmed");
  const reads = readsOf(MERGE);
  await confirmAct(act, ledger, reads, INPUTS);
  const asked = [...new Set(reads.asked)].sort();
  expect(asked).toEqual(["files", "job", "links", "pull", "rules"]);
});
