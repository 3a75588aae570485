import { expect, test } from "vitest";
import { json } from "../support/answers.ts";
import { ASK, dataStream, startAssistantScenario } from "../support/assistant-scenario.ts";
import { CREATE, record, startScenario } from "../support/scenario.ts";

const LARGEST = 512 * 1024;

/** What a warning says of an output that was cut. */
const cut = (name: string) =>
  expect.stringContaining(`The output ${name} is larger than 512 KiB and was truncated.`);

test("an answer of megabytes is an output of 512 KiB, with a warning", async () => {
  await using scenario = await startAssistantScenario();
  scenario.service.on(ASK, dataStream("All about 漢字. ".repeat(150_000)));
  const { exitCode, outputs, warnings } = await scenario.run();
  expect(exitCode).toBe(0);
  expect(warnings).toEqual([cut("answer")]);
  expect(Buffer.byteLength(outputs.answer ?? "")).toBeGreaterThan(LARGEST - 10);
  expect(Buffer.byteLength(outputs.answer ?? "")).toBeLessThanOrEqual(LARGEST);
  expect(outputs.answer).toMatch(/^All about 漢字\. .*…$/s);
});

test("sources that do not fit are left out, and the others are still JSON", async () => {
  await using scenario = await startAssistantScenario();
  const sources = Array.from({ length: 700 }, (_, index) => ({
    ...{ sourceType: "url", id: String(index), url: `https://docs.example/${index}` },
    title: "x".repeat(1000),
  }));
  scenario.service.on(ASK, dataStream("Yes.", "thr_1", sources));
  const { outputs, warnings } = await scenario.run();
  expect(warnings).toEqual([cut("sources")]);
  expect(Buffer.byteLength(outputs.sources ?? "")).toBeLessThanOrEqual(LARGEST);
  const told = JSON.parse(outputs.sources ?? "") as { url: string }[];
  expect(told.length).toBeGreaterThan(400);
  expect(told.at(-1)?.url).toBe(`https://docs.example/${told.length - 1}`);
});

test("a field of a job's record is no larger either", async () => {
  await using scenario = await startScenario();
  const model = "x".repeat(900 * 1024);
  scenario.service.on(CREATE, json(201, record("active", { model })));
  const { exitCode, outputs, warnings } = await scenario.run({ inputs: { wait: "false" } });
  expect(exitCode).toBe(0);
  expect(warnings).toEqual([cut("model")]);
  expect(Buffer.byteLength(outputs.model ?? "")).toBe(LARGEST);
});
