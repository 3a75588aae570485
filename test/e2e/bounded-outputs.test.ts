import { expect, test } from "vitest";
import { json, text } from "../support/answers.ts";
import {
  ASK,
  DATA_HEADERS,
  end,
  part,
  startAssistantScenario,
} from "../support/assistant-scenario.ts";
import { someOf } from "../support/sample.ts";
import { CREATE, completed, POLL, record, startScenario } from "../support/scenario.ts";

const LARGE = "x".repeat(900 * 1024);
const FIELDS = ["status", "model", "prLink", "createdAt", "archivedAt", "repository", "ref"];

test.each(someOf(FIELDS))(
  "a %s of 900 KB is shortened in the log, the outputs, the summary, the state and the comments",
  async (name) => {
    await using scenario = await startScenario();
    const isOfSource = name === "repository" || name === "ref";
    const large = record("active", isOfSource ? { source: { [name]: LARGE } } : { [name]: LARGE });
    scenario.service.on(CREATE, json(201, large));
    scenario.service.on(POLL, json(200, large), json(200, large), json(200, completed));
    const result = await scenario.run({ debug: true });
    expect(result).toMatchObject({ exitCode: 0, errors: [] });
    expect(result.stdout.length).toBeLessThan(20_000);
    expect(JSON.stringify(result.outputs).length).toBeLessThan(20_000);
    expect(JSON.stringify([result.summary, result.state]).length).toBeLessThan(20_000);
    for (const body of scenario.github.bodies) expect(body.length).toBeLessThan(20_000);
  },
);

test.each(
  someOf([
    ["an error", [`3:${JSON.stringify(LARGE)}\n`]],
    [
      "the title of a source",
      [part("h", { sourceType: "url", url: "https://a.example/", title: LARGE })],
    ],
  ]),
)(
  "%s of 900 KB from the assistant is shortened in the log, the outputs and the summary",
  async (_, pieces) => {
    await using scenario = await startAssistantScenario();
    scenario.service.on(
      ASK,
      text(200, [...pieces, part("0", "Yes."), end()].join(""), DATA_HEADERS),
    );
    const result = await scenario.run({ debug: true });
    expect(result.stdout.length).toBeLessThan(20_000);
    expect(JSON.stringify([result.outputs, result.summary]).length).toBeLessThan(20_000);
  },
);

test("an answer of 900 KB leaves room for the other outputs within GitHub's 1 MB", async () => {
  await using scenario = await startAssistantScenario();
  const source = part("h", { sourceType: "url", url: "https://a.example/", title: "Limits" });
  const pieces = [source, ...Array(9).fill(part("0", "x".repeat(100 * 1024))), end()];
  scenario.service.on(ASK, text(200, pieces.join(""), DATA_HEADERS));
  const { exitCode, outputs, warnings } = await scenario.run();
  expect(exitCode).toBe(0);
  expect(outputs.answer).toMatch(/^x+…$/);
  expect(JSON.parse(outputs.sources ?? "")).toMatchObject([{ title: "Limits" }]);
  expect(2 * Object.values(outputs).join("").length).toBeLessThan(1_000_000);
  expect(warnings.filter((it) => it.startsWith("The output answer is larger"))).toHaveLength(1);
});
