import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rendered } from "../../emulator/github/rendered-markdown.ts";
import { hostileText } from "../../test/support/arbitrary.ts";
import { changeOf, NOW, stateOf } from "../../test/support/ledger-state.ts";
import { runs } from "../../test/support/sample.ts";
import { tickedBoxes } from "../ledger/dashboard/boxes.ts";
import { needsDecisionOf, waitingAgain } from "../ledger/model/open-changes.ts";
import { tickId } from "../ledger/model/record.ts";
import { renderUpkeepDashboard, type UpkeepDashboard } from "./dashboard.ts";
import { mergePassedOver, NOTHING_SHOWN, type Shown } from "./shown.ts";

const PR = "https://github.com/acme/docs/pull/9";

function render(
  over: Partial<Omit<UpkeepDashboard, "shown">> & { shown?: Partial<Shown> },
): string {
  const state = over.state ?? stateOf();
  return renderUpkeepDashboard({
    ...{ state, ticked: [], docsUrl: "https://example.com/docs" },
    needsDecision: needsDecisionOf(state, 3),
    ...over,
    shown: { ...NOTHING_SHOWN, ...over.shown },
  });
}

const passed = (number: number) => ({
  key: `acme/code#${number}`,
  title: `Passed ${number}`,
  url: `https://github.com/acme/code/pull/${number}`,
  landedAt: NOW + number,
  why: "label skip-docs",
});

test("shows each change in the section that says what to do about it, from top to bottom", () => {
  const state = stateOf(
    { prLink: PR },
    { state: "uncertain", jobId: null, reason: "no answer" },
    { state: "failed", attempt: 3 },
    { state: "failed", attempt: 1 },
    { state: "running" },
  );
  const shown = { waiting: [changeOf(6)], passedOver: [passed(7)] };
  const body = render({ state, shown });
  const sections = body.split(/^## /m).slice(1);
  expect(sections.map((section) => section.split("\n")[0])).toEqual([
    ...["Needs a decision", "In progress", "Waiting", "Done", "Passed over"],
    "Coverage of the last 30 days",
  ]);
  const [decide, progress, waiting, done, over] = sections;
  expect(decide).toContain("`Change 2`");
  expect(decide).toContain("the service may have received it: `no answer`");
  expect(decide).toContain("handed over 3 times");
  expect(progress).toMatch(/job `job5` ← .*`Change 5`/);
  expect(waiting).toMatch(/`Change 4`.*attempt 2[\s\S]*`Change 6`/);
  expect(done).toContain(`[docs pull request 9](${PR}) ← [\`Change 1\`]`);
  expect(over).toMatch(/`Passed 7`.*`acme\/code#7`.*`label skip-docs`/);
});

test("a section without a line is left out", () => {
  expect(render({})).not.toContain("##");
});

test("a box names the batch that it hands over again, and stays ticked", () => {
  const state = stateOf({ state: "uncertain" });
  const id = tickId("claim1.0", changeOf(1).key);
  expect(tickedBoxes(render({ state }))).toEqual([]);
  expect(tickedBoxes(render({ state, ticked: [id, "unknown"] }))).toEqual([id]);
});

test("a rejected change needs a decision at once, and is not handed over again by itself", () => {
  const state = stateOf({ state: "failed", retry: false });
  expect(needsDecisionOf(state, 3)).toHaveLength(1);
  expect(waitingAgain(state, 3)).toEqual([]);
});

test("whatever changes there are, they need a decision, wait, or neither, but never both", () => {
  const states = fc.constantFrom("failed", "uncertain", "running", "done", "withdrawn");
  fc.assert(
    fc.property(
      fc.array(fc.tuple(states, fc.integer({ min: 1, max: 4 }), fc.boolean())),
      fc.integer({ min: 1, max: 4 }),
      (batches, most) => {
        const state = stateOf(
          ...batches.map(([it, attempt, retry]) => ({ state: it, attempt, retry })),
        );
        const waiting = waitingAgain(state, most).length;
        const stuck = batches.filter(([it]) => it === "failed" || it === "uncertain").length;
        expect(waiting + needsDecisionOf(state, most).length).toBe(stuck);
      },
    ),
  );
});

test("keeps the newest of what was passed over, each once", () => {
  const numbers = Array.from({ length: 30 }, (_, index) => index);
  const merged = mergePassedOver(numbers.map(passed), [passed(29), passed(30)]);
  expect(merged.map(({ key }) => key)).toEqual(
    numbers.slice(0, 20).map((back) => `acme/code#${30 - back}`),
  );
});

test("however much there is, the text stays short enough for GitHub, and says what is left out", () => {
  const changes = Array.from({ length: 300 }, (_, index) =>
    changeOf(index + 1, { title: "x".repeat(120) }),
  );
  const state = stateOf(
    { state: "uncertain", changes: changes.slice(0, 100) },
    ...Array.from({ length: 60 }, (_, nth) => ({ changes: changes.slice(100 + nth, 101 + nth) })),
  );
  const body = render({ state, shown: { waiting: changes.slice(200), passedOver: [] } });
  expect(body.length).toBeLessThanOrEqual(22_000);
  expect(body).toMatch(/… and \d+ more/);
});

describe("hostile titles", () => {
  test("make no box, no heading, no link, no mention, no comment and no element", () => {
    fc.assert(
      fc.property(hostileText(), hostileText(), hostileText(), (title, reason, author) => {
        const change = (number: number) => changeOf(number, { title, author });
        const state = stateOf(
          { state: "uncertain", reason, changes: [change(1)] },
          { state: "running", jobId: reason, changes: [change(2)] },
          { changes: [change(3)] },
        );
        const passedOver = [{ ...passed(5), title, why: reason }];
        const body = render({ state, shown: { waiting: [change(4)], passedOver } });
        const plain = render({
          state: stateOf({ state: "uncertain", reason: "x" }, { state: "running" }, {}),
          shown: { waiting: [changeOf(4)], passedOver: [passed(5)] },
        });
        expect(tickedBoxes(body)).toEqual([]);
        expect(shape(body)).toEqual(shape(plain));
      }),
      { numRuns: runs(40) },
    );
  });
});

/** The elements that a body makes on the page but code, and where its links lead. */
function shape(body: string): string[] {
  const html = rendered(body).replace(/<code>[^<]*<\/code>/g, "");
  const elements = [...html.matchAll(/<!--[^>]*-->|<[^>]+>/g)].map(([element]) => element);
  return elements.filter((element) => !element.startsWith("<!-- again="));
}
