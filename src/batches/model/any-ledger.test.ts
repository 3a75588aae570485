import fc from "fast-check";
import { expect, test } from "vitest";
import { anyText } from "../../../test/support/arbitrary.ts";
import { AT, change, LINK, NOW, task } from "../../../test/support/ledger-examples.ts";
import { ledgerText, parseLedger } from "../../ledger/file.ts";
import { batchFormat } from "./format.ts";

const FORMAT = batchFormat({ action: "upkeep", project: "p" });

const text = anyText();
const maybe = fc.option(text);
const count = fc.nat(3);
const flag = fc.boolean();
const at = fc.constant(AT);
const link = fc.constantFrom(LINK, "https://ghe.test:8443/a/b/pull/1?x=%20#y", "http://[::1]/%7F");
const maybeLink = fc.option(link);
const is = <const T extends string>(...names: T[]) => fc.constantFrom(...names);
const listOf = <T>(entry: fc.Arbitrary<T>) => fc.array(entry, { maxLength: 3 });

const changes = listOf(fc.constantFrom(change(1), task("a.md\nb.md")));
const followUp = fc.option(fc.record({ jobId: text, prLink: maybeLink }));
const job = fc.record({
  id: text,
  acceptedAt: at,
  isFollowUp: flag,
  prLink: maybeLink,
  missingSince: fc.option(at),
  withoutPullSince: fc.option(at),
  isTooLate: flag,
});
const origin = fc.record({ id: text, hasSucceeded: flag });
const common = { id: text, changes, origin, followUp, isOutdated: flag, attempt: count, at };
const uncertainReason = fc.oneof(
  fc.record({ code: is("unanswered"), words: text }),
  fc.record({ code: is("run-ended") }),
);
const failedReason = fc.oneof(
  fc.record({
    code: is("job-failed", "job-unknown", "archived", "hidden-pull", "ended-early"),
    jobId: text,
  }),
  fc.record({ code: is("refused"), words: text }),
);
const passedReason = fc.oneof(
  fc.record({ code: is("label"), label: text }),
  fc.record({ code: is("author"), author: text }),
  fc.record({ code: is("no-files", "no-path", "by-agent") }),
  fc.record({ code: is("same-commit"), sha: text }),
  fc.record({ code: is("rewritten"), branch: text }),
);
const batch = fc.oneof(
  fc.record({ ...common, state: is("intended"), sentTo: maybe }),
  fc.record({ ...common, state: is("running"), job }),
  fc.record({ ...common, state: is("uncertain"), reason: uncertainReason }),
  fc.record({ ...common, state: is("failed"), job: fc.option(job), reason: failedReason }),
);
const decision = is("again", "left");
const inRow = listOf(
  fc.record({ cause: text, how: is("failed", "refused", "unknown"), jobId: maybe }),
);
const halt = fc.record({ id: text, inRow });
const days = <T>(counts: fc.Arbitrary<T>) => fc.dictionary(is("2026-11-20", "2026-11-22"), counts);

const anyJob = { workflow: maybe, job: maybe, commit: maybe, digest: maybe };
/** Any value of each field but the first ones, which say whose ledger it is. */
const anyFields = fc.record({
  ownerWorkflow: fc.option(fc.record({ ...anyJob, filters: fc.dictionary(text, text) })),
  closedByBot: fc.option(fc.record({ by: text, at: maybe })),
  dashboard: fc.oneof(
    fc.record({ type: is("none") }),
    fc.record({ type: is("claimed"), by: text, until: text }),
    fc.record({ type: is("refused"), until: text }),
    fc.record({ type: is("open"), number: count }),
  ),
  sources: listOf(
    fc.record({
      id: count,
      repository: text,
      branch: text,
      sha: maybe,
      date: text,
      target: maybe,
      readAt: maybe,
      wasRewritten: flag,
      release: maybe,
    }),
  ),
  waiting: listOf(
    fc.record({
      changes,
      origin: fc.option(origin),
      followUp,
      attempts: count,
      source: maybe,
      isReleased: flag,
    }),
  ),
  batches: listOf(batch),
  reviews: listOf(
    fc.record({
      prLink: link,
      jobId: text,
      changes,
      others: changes,
      endedAt: at,
      unread: fc.option(fc.record({ since: at, isPassing: flag })),
      isClosedToBatches: flag,
    }),
  ),
  followed: listOf(fc.record({ id: text, changes, attempt: count, job, decision, since: at })),
  drafts: listOf(fc.oneof(batch, fc.record({ ...common, state: is("done"), job }))),
  done: listOf(
    fc.oneof(
      fc.record({ result: is("merged", "closed", "unread"), prLink: link, changes, more: count }),
      fc.record({ result: is("none", "left"), prLink: fc.constant(null), changes, more: count }),
    ),
  ),
  passedOver: listOf(fc.record({ change: fc.constant(change(1)), reason: passedReason })),
  days: days(fc.record({ documented: count, not: count, unseen: count })),
  starts: listOf(fc.record({ batch: text, at })),
  requests: days(count),
  failures: fc.record({ inRow, halt: fc.option(halt) }),
  limitedSince: maybe,
  busyJobs: listOf(fc.record({ jobId: text, since: at })),
  pendingComments: listOf(
    fc.record({
      change: fc.constant(change(1)),
      prLink: maybeLink,
      job: text,
      claim: fc.option(fc.record({ id: text, at })),
      tries: count,
      refusals: count,
    }),
  ),
  agent: fc.record({ links: listOf(text), branches: listOf(text) }),
  ended: listOf(text),
});

test("any ledger is read as it was written, and would be written byte for byte as it was read", () => {
  fc.assert(
    fc.property(anyFields, (fields) => {
      const ledger = { ...FORMAT.begin, ...fields };
      const written = ledgerText(ledger);
      const parsed = parseLedger(written, FORMAT, NOW);
      expect(parsed).toEqual({ ledger });
      expect("ledger" in parsed && ledgerText(parsed.ledger)).toBe(written);
    }),
  );
});
