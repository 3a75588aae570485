import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyText, hostileText } from "../../../test/support/arbitrary.ts";
import { ALL_HOSTILE } from "../../../test/support/hostile-texts.ts";
import { largeTest } from "../../../test/support/large-test.ts";
import {
  change,
  EMPTY,
  failedBatch,
  group,
  jobOf,
  LINK,
  review,
  revision,
  runningBatch,
  task,
  uncertainBatch,
} from "../../../test/support/ledger-examples.ts";
import type { MergedChange } from "../../github/changes/change-details.ts";
import type { Tick } from "../model/decisions.ts";
import type { Batch, Ledger, PassedOver, Reviewed } from "../model/ledger.ts";
import { readTicks, spellOut } from "./boxes.ts";
import { markText, readMark, renderDashboard } from "./render.ts";

const WORDS = { introduction: "This issue.", headline: "1 of 2", progress: {}, chart: "Coverage" };

function render(ledger: Partial<Ledger>, ticked: Tick[] = []): string {
  const shown = revision({ ...EMPTY, ...ledger });
  return renderDashboard(shown, ticked, { ...WORDS, waiting: shown.ledger.waiting, hold: null });
}

function labelled(change: MergedChange, label: string): PassedOver {
  return { change, reason: { code: "label", label } };
}

/** The body with every box ticked. */
const ticks = (text: string) => readTicks(text.replaceAll("- [ ]", "- [x]"));
const repeat = <T>(count: number, of: (nth: number) => T) =>
  Array.from({ length: count }, (_, nth) => of(nth));

test("a body with any text says what it was made from", () => {
  const mark = { ref: "refs/docs-agent/upkeep/1a2b3c4d5e6f", sha: "a".repeat(40), writes: 12 };
  expect(readMark(`${markText(mark)}\n# Text`)).toEqual(mark);
  expect(readMark("<!-- docs-agent-ledger refs/x y 1 -->")).toBeNull();
  fc.assert(
    fc.property(anyText(), (text) => {
      expect(readMark(`${markText(mark)}\n${text}`)).toEqual(mark);
    }),
  );
});

test("every ticked box is read back, with any ID, and if both boxes of an entry are ticked, leaving counts", () => {
  const decision = fc.record({
    id: anyText().filter((text) => text !== ""),
    choice: fc.constantFrom("again" as const, "leave" as const),
  });
  const all = fc.uniqueArray(decision, { selector: ({ id }) => id, maxLength: 4 });
  fc.assert(
    fc.property(all, (decisions) => {
      const batches = decisions.map(({ id }) => failedBatch(id, [change(1)]));
      const text = render({ batches }, decisions);
      expect(readTicks(text)).toEqual(decisions);
      expect(ticks(text)).toEqual(
        expect.arrayContaining(decisions.map(({ id }) => ({ id, choice: "leave" }))),
      );
      expect(readTicks(render({ batches }))).toEqual([]);
    }),
  );
});

describe("what needs a decision says what happened, where to look, and what ticking does", () => {
  test.each<[string, Batch, RegExp]>([
    [
      "an uncertain request",
      uncertainBatch("b", [change(1)]),
      /first: .*starts new ones\.[\s\S]*: the service may have received the request: `the connection was lost`\./,
    ],
    [
      "a refused task",
      failedBatch("b", [task("a")], null),
      /Change the prompt [\s\S]*: the service refused it: `Too long`\./,
    ],
    [
      "a refused change",
      failedBatch("b", [change(1)], null),
      /Look in the description [\s\S]*: the service refused it: `Too long`\./,
    ],
    [
      "a job that failed for the third time",
      { ...failedBatch("b", [change(1)]), attempt: 3 },
      /first: [\s\S]*: the job failed \(attempt 3\)\.\n[\s\S]*<details>[\s\S]*, job `job-b`/,
    ],
    [
      "a refusal without words",
      { ...failedBatch("b", [change(1)], null), reason: { code: "refused", words: "" } },
      /: the service refused it\.\n/,
    ],
    [
      "a job that failed",
      failedBatch("b", [change(1)]),
      /first: [\s\S]*: the job failed\.\n[\s\S]*<details>[\s\S]*, job `job-b`/,
    ],
    [
      "a job that is late",
      runningBatch("b", [change(1)], { acceptedAt: "2026-11-20T00:00:00Z" }),
      /more than 24 hours\. If it still ends, its result counts\.[\s\S]*<details>[\s\S]*, job `job-b`/,
    ],
  ])("%s", (_, batch, words) => {
    const text = render({ batches: [batch] });
    expect(text).toMatch(words);
    const id = batch.state === "running" ? "b late" : "b";
    expect(ticks(text)).toEqual([{ id, choice: "leave" }]);
    expect(text.match(/- \[ \]/g)).toHaveLength(2);
  });

  const three = ["b0", "b1", "b2"].map((id, nth) => failedBatch(id, [change(nth)]));
  const allOf = (batches: readonly Batch[]) =>
    spellOut(
      ticks(render({ batches })).filter(({ id }) => id.startsWith("all ")),
      batches,
    );

  test("with boxes for all, which mean those that are shown, as soon as there are two", () => {
    expect(allOf(three).map(({ id }) => id)).toEqual(["b0", "b1", "b2"]);
    expect(render({ batches: three.slice(0, 1) })).not.toContain("all of these");
    const many = repeat(70, (nth) => failedBatch(`b${nth}`, [change(nth)]));
    expect(allOf(many).map(({ id }) => id)).toEqual(repeat(50, (nth) => `b${nth}`));
  });

  test("with a tick for all, set during a run, as a tick for each that was shown with it", () => {
    const all = ticks(render({ batches: three.slice(0, 2) })).slice(0, 1);
    const text = render({ batches: three }, all);
    expect(readTicks(text).map(({ id }) => id)).toEqual(["b0", "b1"]);
  });

  test("with those that are ticked first, so that no tick is lost if there is no more room", () => {
    const many = repeat(70, (nth) => failedBatch(`b${nth}`, [change(nth)]));
    const last: Tick = { id: "b69", choice: "again" };
    expect(readTicks(render({ batches: many }, [last]))).toEqual([last]);
  });
});

test("each part of the ledger has its section, from what a person should do to what is over", () => {
  const ended = (result: Reviewed["result"]): Reviewed => {
    return { result, prLink: LINK, changes: [change(6)], more: 2 };
  };
  const other = { prLink: null, changes: [change(6)], more: 2 };
  const text = render({
    batches: [runningBatch("b", [change(1), change(2)]), uncertainBatch("c", [change(3)])],
    reviews: [review()],
    waiting: [group(4, { attempts: 1 }), group(5, { isReleased: false })],
    done: [
      ...(["merged", "closed", "unread"] as const).map(ended),
      { ...other, result: "none" },
      { ...other, result: "left" },
    ],
    passedOver: [{ change: change(7), reason: { code: "no-path" } }],
  });
  const lines = [
    "## Needs a decision",
    "## In progress",
    "- Since 2026-11-22 12:00 UTC ← 2 changes",
    "- `#1 and #2`: job `job-b`",
    "## In review",
    `- [Docs pull request #7](${LINK}), since 2026-11-22 12:00 UTC ← \`Change 9\` \`acme/code#9\``,
    "## Waiting",
    "- Attempt 2 ← `Change 4`",
    "- For a release, since 2026-11-20 10:00 UTC ← `Change 5`",
    "## Done",
    "(merged) ← 3 changes",
    "(closed without merging) ← 3 changes",
    "(could not be read) ←",
    "- Nothing to change ←",
    "- Left ←",
    "… and 2 more",
    "<details>",
    "- `#6`: ID `",
    "## Passed over",
    "`Change 7` `acme/code#7`: `no file matches paths`",
  ];
  let at = 0;
  for (const line of lines) {
    at = text.indexOf(line, at);
    expect(at, line).toBeGreaterThan(-1);
  }
});

largeTest("with 20,000 waiting tasks and hundreds of decisions, GitHub takes it", () => {
  const title = (nth: number) => `${ALL_HOSTILE[nth % ALL_HOSTILE.length]}${"x`<!--".repeat(30)}`;
  const changes = (nth: number) =>
    repeat(20, (at) => ({
      ...change(nth * 100 + at),
      title: title(nth + at),
      repository: `${"o".repeat(39)}/${"r".repeat(100)}`,
      url: `https://${"u".repeat(1900)}`,
    }));
  const text = render({
    waiting: repeat(20_000, (nth) => ({ ...group(nth), changes: [task(title(nth))] })),
    batches: repeat(300, (nth) => {
      const [id, words] = [`${"b".repeat(60)}${nth}`, title(nth)];
      return nth % 2 === 0
        ? { ...uncertainBatch(id, changes(nth)), reason: { code: "unanswered", words } }
        : { ...failedBatch(id, changes(nth)), reason: { code: "refused", words } };
    }),
    reviews: repeat(200, (nth) => review({ prLink: `${LINK}${nth}`, changes: changes(nth) })),
    done: repeat(50, (nth) => ({ result: "left", prLink: null, changes: changes(nth), more: 9 })),
    passedOver: repeat(20, (nth) => labelled(changes(nth)[0] ?? change(0), title(nth))),
  });
  // The mark has to fit, too.
  expect(text.length).toBeLessThan(65_536 - 500);
  expect(text).toMatch(/## Needs a decision[^#]+<!-- again:[^#]+… and 299 more/);
  expect(text).toMatch(/… and \d+ more/);
});

test("of many docs pull requests in review, the newest come first, and the others are counted", () => {
  const text = render({ reviews: repeat(60, (nth) => ({ ...review(), prLink: `${LINK}${nth}` })) });
  expect(text).toMatch(/In review\n\n- \[[^\]]+\]\([^)]+759\)/);
  expect(text).toMatch(/- … and 10 more$/);
});

test("what is done gives way before what needs a decision", () => {
  const changes = (nth: number) => repeat(10, (at) => change(nth * 100 + at));
  const text = render({
    batches: repeat(40, (nth) => uncertainBatch(`b${nth}`, changes(nth))),
    done: repeat(50, (nth) => {
      return { result: "none", prLink: null, changes: changes(nth + 40), more: 0 };
    }),
    reviews: repeat(50, (nth) => ({ ...review(), changes: changes(nth + 90) })),
  });
  // Two boxes for each of them, and two for all.
  expect(text.match(/- \[ \] /g)).toHaveLength(2 * 40 + 2);
  expect(text).toMatch(/… and \d+ more/);
});

test("no title, ID or reason has a box, a mark, a heading or a mention of its own", () => {
  const hostile = fc.oneof(hostileText(), fc.constantFrom(...ALL_HOSTILE));
  fc.assert(
    fc.property(hostile, hostile, hostile, hostile, (a, b, c, d) => {
      const hostile = { ...change(1), title: a, repository: b, author: c, url: d };
      const text = render({
        batches: [
          { ...uncertainBatch("b", [hostile]), reason: { code: "unanswered", words: c } },
          runningBatch("c", [{ ...task(a), title: b, isPlain: true }, task(d)], jobOf(c)),
        ],
        reviews: [{ ...review(), prLink: d, changes: [hostile] }],
        passedOver: [labelled(hostile, c)],
      });
      expect(ticks(text).map(({ id }) => id)).toEqual(["b", "1#1"]);
      const sections = ["Needs a decision", "In progress", "In review", "Passed over"];
      expect(text.split("\n").filter((line) => line.startsWith("#"))).toEqual(
        sections.map((title) => `## ${title}`),
      );
    }),
  );
});
