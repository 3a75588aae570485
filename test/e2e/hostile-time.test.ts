import { expect, test } from "vitest";
import { json } from "../support/answers.ts";
import { ASK, dataStream, startAssistantScenario } from "../support/assistant-scenario.ts";
import { GONE_AFTER } from "../support/grace.ts";
import { someOf } from "../support/sample.ts";
import { startScenario } from "../support/scenario.ts";

/** In milliseconds. The work takes far less than a second; the rest is a margin for a busy machine. */
const SOON = 20_000;

/** A text as long as a comment may be, of one piece that repeats. */
const repeated = (piece: string) => piece.repeat(Math.ceil(65_536 / piece.length));

test("a cancelled run ends in time while it renders an answer that is slow to parse", async () => {
  await using scenario = await startAssistantScenario();
  scenario.service.on(ASK, dataStream(`Begun. ${repeated("_a")}`));
  const run = scenario.start();
  await run.waitForLine("Begun.");
  const signalledAt = performance.now();
  run.cancel();
  const result = await run.result;
  expect(performance.now() - signalledAt).toBeLessThan(GONE_AFTER);
  expect(result.signal).toBeNull();
  expect(result.exitCode).not.toBe(0);
});

test("a long malformed link header of GitHub's does not slow the run down", async () => {
  await using scenario = await startAssistantScenario();
  const link = "<?page=1".repeat(1800);
  const comments = "GET /repos/octo/docs/issues/7/comments";
  scenario.github.server.on(comments, ({ response }) => {
    response.writeHead(200, { "content-type": "application/json", link }).end("[]");
  });
  const result = await scenario.run();
  expect(result.exitCode).toBe(0);
  expect(result.durationMs).toBeLessThan(SOON);
});

test.each(
  someOf([
    ["timeout-minutes", `${"1".repeat(100_000)}x`],
    ["base-url", `https://127.0.0.1/${"/".repeat(100_000)}x`],
    ["github-api-url", `https://127.0.0.1/${"/".repeat(100_000)}x`],
  ]),
)("a %s of 100 KB does not slow the run down", async (name, value) => {
  await using scenario = await startScenario();
  scenario.github.server.on("POST /repos/octo/docs/issues/:n/comments", json(201, { id: 1 }));
  const result = await scenario.run({ inputs: { [name]: value } });
  expect(result.durationMs).toBeLessThan(SOON);
});
