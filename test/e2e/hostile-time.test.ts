import { expect, test } from "vitest";
import { GONE_AFTER } from "../support/grace.ts";
import { someOf } from "../support/sample.ts";
import { WITH_JOB } from "../support/world/jobs.ts";
import { ASK, dataStream, WITH_ANSWER } from "../support/world/questions.ts";
import { startWorld } from "../support/world/world.ts";

/** In milliseconds. The work takes far less than a second; the rest is a margin for a busy machine. */
const SOON = 20_000;

/** A text as long as a comment may be, of one piece that repeats. */
const repeated = (piece: string) => piece.repeat(Math.ceil(65_536 / piece.length));

test("a cancelled run ends in time while it renders an answer that is slow to parse", async () => {
  await using world = await startWorld(WITH_ANSWER);
  world.on(ASK, dataStream(`Begun. ${repeated("_a")}`));
  const run = world.start("assistant");
  await run.waitForLine("Begun.");
  const signalledAt = performance.now();
  run.cancel();
  const result = await run.result;
  expect(performance.now() - signalledAt).toBeLessThan(GONE_AFTER);
  expect(result.signal).toBeNull();
  expect(result.exitCode).not.toBe(0);
});

test("a long malformed link header of GitHub's does not slow the run down", async () => {
  await using world = await startWorld(WITH_ANSWER);
  const link = "<?page=1".repeat(1800);
  const comments = "GET /repos/octo/docs/issues/7/comments";
  world.on(comments, ({ response }) => {
    response.writeHead(200, { "content-type": "application/json", link }).end("[]");
  });
  const result = await world.run("assistant");
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
  await using world = await startWorld(WITH_JOB);
  // Without anything to ask GitHub, whose answers an action waits for.
  const inputs = { comment: "false", [name]: value };
  const result = await world.run("root", { eventName: "schedule", inputs });
  expect(result.durationMs).toBeLessThan(SOON);
});
