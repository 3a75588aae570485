import { expect, test } from "vitest";
import {
  change,
  EMPTY,
  failedBatch,
  HALT,
  revision,
} from "../../../test/support/ledger-examples.ts";
import type { Tick } from "../model/decisions.ts";
import type { Halt, Ledger } from "../model/ledger.ts";
import { readTicks } from "./boxes.ts";
import { renderDashboard } from "./render.ts";

const WORDS = { introduction: "This issue.", headline: "1 of 2", progress: {}, chart: "Coverage" };

function render(ledger: Partial<Ledger>, ticked: Tick[] = []): string {
  const shown = revision({ ...EMPTY, ...ledger });
  return renderDashboard(shown, ticked, { ...WORDS, waiting: [], hold: null });
}

/** The body with every box ticked. */
const ticks = (text: string) => readTicks(text.replaceAll("- [ ]", "- [x]"));

const BY_SERVICE: Halt["inRow"] = [
  { cause: "a", how: "refused", jobId: null },
  { cause: "b", how: "unknown", jobId: null },
];

test.each<[Halt["inRow"], RegExp]>([
  [HALT.inRow, /3 jobs failed in a row, so nothing more is handed over/],
  [HALT.inRow.slice(0, 1), /1 job failed, so nothing more is handed over/],
  [
    [...BY_SERVICE, ...HALT.inRow.slice(0, 1)],
    /1 job failed, 1 request was refused and 1 request or job has an unknown outcome in a row/,
  ],
  [BY_SERVICE.slice(0, 1), /1 request was refused, so nothing more is handed over/],
])("after %j, one question with one box comes first", (inRow, words) => {
  const failures = { inRow, halt: { id: "halt b", inRow } };
  const text = render({ failures, batches: [failedBatch("c", [change(1)])] });
  expect(text).toMatch(words);
  expect(text).toMatch(/## Needs a decision\n\n- \*\*Go on\?\*\* .*\n {2}- \[ \] <!-- go-on:/);
  const goOn: Tick = { id: "halt b", choice: "go-on" };
  expect(ticks(text)).toEqual([goOn, { id: "c", choice: "leave" }]);
  expect(readTicks(render({ failures }, [goOn]))).toEqual([goOn]);
});
