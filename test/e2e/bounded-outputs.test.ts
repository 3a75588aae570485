import { expect, test } from "vitest";
import { json } from "../support/answers.ts";
import { ASK, dataStream, setAssistantScene } from "../support/assistant-scene.ts";
import { CREATE, record, setScene } from "../support/scene.ts";

const LARGEST = 512 * 1024;

/** What a warning says of an output that was cut. */
const cut = (name: string) =>
  expect.stringContaining(`The output ${name} is larger than 512 KiB: its end is left out.`);

test("an answer of megabytes is an output of 512 KiB, with a warning", async () => {
  await using scene = await setAssistantScene();
  scene.service.on(ASK, dataStream("All about 漢字. ".repeat(150_000)));
  const { exitCode, outputs, warnings } = await scene.run();
  expect(exitCode).toBe(0);
  expect(warnings).toEqual([cut("answer")]);
  expect(Buffer.byteLength(outputs.answer ?? "")).toBeGreaterThan(LARGEST - 10);
  expect(Buffer.byteLength(outputs.answer ?? "")).toBeLessThanOrEqual(LARGEST);
  expect(outputs.answer).toMatch(/^All about 漢字\. .*…$/s);
});

test("sources that do not fit are left out, and the others are still JSON", async () => {
  await using scene = await setAssistantScene();
  const sources = Array.from({ length: 700 }, (_, index) => ({
    ...{ sourceType: "url", id: String(index), url: `https://docs.example/${index}` },
    title: "x".repeat(1000),
  }));
  scene.service.on(ASK, dataStream("Yes.", "thr_1", sources));
  const { outputs, warnings } = await scene.run();
  expect(warnings).toEqual([cut("sources")]);
  expect(Buffer.byteLength(outputs.sources ?? "")).toBeLessThanOrEqual(LARGEST);
  const told = JSON.parse(outputs.sources ?? "") as { url: string }[];
  expect(told.length).toBeGreaterThan(400);
  expect(told.at(-1)?.url).toBe(`https://docs.example/${told.length - 1}`);
});

test("a field of a job's record is no larger either", async () => {
  await using scene = await setScene();
  const model = "x".repeat(900 * 1024);
  scene.service.on(CREATE, json(201, record("active", { model })));
  const { exitCode, outputs, warnings } = await scene.run({ inputs: { wait: "false" } });
  expect(exitCode).toBe(0);
  expect(warnings).toEqual([cut("model")]);
  expect(Buffer.byteLength(outputs.model ?? "")).toBe(LARGEST);
});
