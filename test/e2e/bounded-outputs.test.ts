import { expect, test } from "vitest";
import { json, text } from "../support/answers.ts";
import { someOf } from "../support/sample.ts";
import { CREATE, completed, POLL, record, WITH_JOB } from "../support/world/jobs.ts";
import { ASK, DATA_HEADERS, end, part, WITH_ANSWER } from "../support/world/questions.ts";
import { startWorld } from "../support/world/world.ts";

const LARGE = "x".repeat(900 * 1024);
const FIELDS = ["status", "model", "prLink", "createdAt", "archivedAt", "repository", "ref"];

test.each(someOf(FIELDS))(
  "a %s of 900 KB is shortened in the log, the outputs, the summary, the state and the comments",
  async (name) => {
    await using world = await startWorld(WITH_JOB);
    const isOfSource = name === "repository" || name === "ref";
    const large = record("active", isOfSource ? { source: { [name]: LARGE } } : { [name]: LARGE });
    world.on(CREATE, json(201, large));
    world.on(POLL, json(200, large), json(200, large), json(200, completed));
    const result = await world.run("root", { debug: true });
    expect(result).toMatchObject({ exitCode: 0, errors: [] });
    expect(result.stdout.length).toBeLessThan(20_000);
    expect(JSON.stringify(result.outputs).length).toBeLessThan(20_000);
    expect(JSON.stringify([result.summary, result.state]).length).toBeLessThan(20_000);
    for (const body of world.bodies) expect(body.length).toBeLessThan(20_000);
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
    await using world = await startWorld(WITH_ANSWER);
    world.on(ASK, text(200, [...pieces, part("0", "Yes."), end()].join(""), DATA_HEADERS));
    const result = await world.run("assistant", { debug: true });
    expect(result.stdout.length).toBeLessThan(20_000);
    expect(JSON.stringify([result.outputs, result.summary]).length).toBeLessThan(20_000);
  },
);

test("an answer of 900 KB leaves room for the other outputs within GitHub's 1 MB", async () => {
  await using world = await startWorld(WITH_ANSWER);
  const source = part("h", { sourceType: "url", url: "https://a.example/", title: "Limits" });
  const pieces = [source, ...Array(9).fill(part("0", "x".repeat(100 * 1024))), end()];
  world.on(ASK, text(200, pieces.join(""), DATA_HEADERS));
  const { exitCode, outputs, warnings } = await world.run("assistant");
  expect(exitCode).toBe(0);
  expect(outputs.answer).toMatch(/^x+…$/);
  expect(JSON.parse(outputs.sources ?? "")).toMatchObject([{ title: "Limits" }]);
  expect(2 * Object.values(outputs).join("").length).toBeLessThan(1_000_000);
  expect(warnings.filter((it) => it.startsWith("The output answer is larger"))).toHaveLength(1);
});
