import { expect, test } from "vitest";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { Secrets } from "../text/secrets.ts";
import { boundedOutputs, fitting } from "./bounded-outputs.ts";

const LARGEST = 512 * 1024;
const KEY = "mint_k3yOfTheTest";

function bounded() {
  const { outputs, log, lines } = dependenciesOf();
  const secrets = new Secrets([KEY]);
  return { inner: outputs, lines, ...boundedOutputs(outputs, { log, secrets }) };
}

test("what fits is set as it is, to the last byte", () => {
  const { setOutput, inner, lines } = bounded();
  const whole = `é${"x".repeat(LARGEST - 2)}`;
  setOutput("answer", whole);
  expect(inner.values.answer).toBe(whole);
  expect(lines).toEqual([]);
});

test("of a larger text the end is left out, in whole characters, with a warning that names it", () => {
  const { setOutput, inner, lines } = bounded();
  setOutput("answer", `x${"漢".repeat(LARGEST / 2)}`);
  expect(Buffer.byteLength(inner.values.answer ?? "")).toBeLessThanOrEqual(LARGEST);
  expect(inner.values.answer).toMatch(/^x漢+…$/u);
  expect(lines).toEqual(["warning: The output answer is larger than 512 KiB and was truncated."]);
});

test("of a larger array the last items are left out, so that it stays JSON", () => {
  const { setOutput, inner, lines } = bounded();
  const items = Array.from({ length: 2000 }, (_, id) => ({ id, text: "é".repeat(300) }));
  setOutput("sources", JSON.stringify(items));
  const told = JSON.parse(inner.values.sources ?? "") as typeof items;
  expect(told).toEqual(items.slice(0, told.length));
  expect(Buffer.byteLength(JSON.stringify(items.slice(0, told.length + 1)))).toBeGreaterThan(
    LARGEST,
  );
  expect(Buffer.byteLength(inner.values.sources ?? "")).toBeLessThanOrEqual(LARGEST);
  expect(lines).toHaveLength(1);
});

test("a text that only begins like an array is cut like any other", () => {
  const { setOutput, inner } = bounded();
  setOutput("answer", `[${"x".repeat(LARGEST)}`);
  expect(inner.values.answer).toMatch(/^\[x+…$/);
});

test("as many items fit as an array of them has room for", () => {
  const item = "x".repeat(LARGEST / 4 - 3);
  expect(fitting([item, item, item])).toHaveLength(3);
  // Three quarters, their commas and the brackets leave too little for a fourth.
  expect(fitting([item, item, item, item, item])).toHaveLength(3);
  expect(fitting(["x".repeat(LARGEST)])).toEqual([]);
  expect(fitting([])).toEqual([]);
});

test("no secret gets into outputs, state or summary", () => {
  const { setOutput, saveState, writeSummary, inner, lines } = bounded();
  setOutput("answer", `a ${KEY} b`);
  saveState({ jobId: KEY, comment: { url: `https://github.com/${KEY}` } });
  writeSummary(`a ${KEY.slice(0, 12)}…`);
  expect(inner.values.answer).toBe("a *** b");
  expect(inner.states).toEqual([{ jobId: "***", comment: { url: "https://github.com/***" } }]);
  expect(lines).toEqual(["summary: a ***…"]);
});
