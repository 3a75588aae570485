import { expect, test } from "vitest";
import { json } from "../support/answers.ts";
import { ASK, dataStream, startAssistantScenario } from "../support/assistant-scenario.ts";
import { GONE_AFTER } from "../support/grace.ts";
import { someOf } from "../support/sample.ts";
import { startScenario } from "../support/scenario.ts";

/** In milliseconds. The work itself is far below a second; the rest is left to a busy machine. */
const SOON = 20_000;

/** As much of an answer as a comment may hold, of one piece again and again. */
const repeated = (piece: string) => piece.repeat(Math.ceil(65_536 / piece.length));

test("a cancelled run ends in time, whatever answer it is writing down", async () => {
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

test("a header of GitHub's that names no last page is read as soon as any other", async () => {
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
)("a %s of 100 KB is judged as soon as any other", async (name, value) => {
  await using scenario = await startScenario();
  scenario.github.server.on("POST /repos/octo/docs/issues/:n/comments", json(201, { id: 1 }));
  const result = await scenario.run({ inputs: { [name]: value } });
  expect(result.durationMs).toBeLessThan(SOON);
});
