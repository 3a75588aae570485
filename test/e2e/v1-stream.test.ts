import { expect, test } from "vitest";
import { held, json } from "../support/answers.ts";
import { GONE_AFTER } from "../support/grace.ts";
import { someOf } from "../support/sample.ts";
import { endless } from "../support/streams.ts";
import { LONG_DELAY, PR_LINK } from "../support/world/jobs.ts";

import {
  BRANCH,
  CREATE_V1,
  created,
  HALTED_WELL,
  halted,
  POLL_V1,
  session,
  WITH_SESSION,
} from "../support/world/sessions.ts";
import { startWorld, type World } from "../support/world/world.ts";

const MIB = 1024 * 1024;
const EVENTS = {
  "content-type": "text/event-stream",
  "x-session-id": "session_1",
  "x-branch-name": BRANCH,
};

/** Runs a step whose session ends when the step has logged a text. */
async function runUntilLogged(world: World, line: string) {
  const poll = held(json(200, HALTED_WELL));
  world.on(POLL_V1, poll);
  const run = world.start("root");
  await run.waitForLine(line);
  poll.release();
  return await run.result;
}

test("lines of the stream are logged with a mark as they arrive", async () => {
  await using world = await startWorld(WITH_SESSION);
  const pieces = ["Reading the rep", "ository\r", "\nWriting webhooks.mdx\n\n\nDo", "ne"];
  world.on(CREATE_V1, created(pieces));
  const { visible } = await runUntilLogged(world, "Done");
  const quoted = visible.filter((line) => line.startsWith("> "));
  expect(quoted).toEqual(["> Reading the repository", "> Writing webhooks.mdx", "> Done"]);
});

test("a character that arrives in several chunks is decoded correctly", async () => {
  await using world = await startWorld(WITH_SESSION);
  const bytes = Buffer.from("Prüfung: ✓ fertig\n");
  const pieces = [...bytes].map((byte) => Uint8Array.of(byte));
  world.on(CREATE_V1, created(pieces));
  const { visible } = await runUntilLogged(world, "fertig");
  expect(visible).toContain("> Prüfung: ✓ fertig");
});

test("server-sent events are logged line by line", async () => {
  await using world = await startWorld(WITH_SESSION);
  const pieces = ["event: step\nda", 'ta: {"text":"Reading"}\n\ndata: [DONE]\n\n'];
  world.on(CREATE_V1, created(pieces, "end", EVENTS));
  const { visible } = await runUntilLogged(world, "[DONE]");
  const quoted = visible.filter((line) => line.startsWith("> "));
  expect(quoted).toEqual(["> event: step", '> data: {"text":"Reading"}', "> data: [DONE]"]);
});

test("a stream that never ends delays neither the polls nor the end of the process", async () => {
  await using world = await startWorld(WITH_SESSION);
  world.on(CREATE_V1, created(["Working\n"], "never"));
  world.on(POLL_V1, json(200, session()), json(200, HALTED_WELL));
  const result = await world.run("root");
  expect(world.asked("service")).toEqual([CREATE_V1, POLL_V1, POLL_V1]);
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({ status: "completed", prLink: PR_LINK });
  expect(result.stdout).not.toContain("was interrupted");
  await world.servers.service.waitForDisconnect();
});

test("an endless stream is read up to 8 MiB, and the job is polled until its end", async () => {
  await using world = await startWorld(WITH_SESSION);
  const line = `${"The agent thinks aloud about a page. ".repeat(200)}\n`;
  const stream = created(endless(line.repeat(10)), "never");
  const poll = held(json(200, HALTED_WELL));
  world.on(POLL_V1, poll).on(CREATE_V1, async (exchange) => {
    await stream(exchange);
    // The action has closed the connection.
    poll.release();
  });
  const result = await world.run("root");
  expect(result.exitCode).toBe(0);
  expect(result.stdout.length).toBeGreaterThan(7.9 * MIB);
  expect(result.stdout.length).toBeLessThan(10 * MIB);
  expect(result.visible.filter((text) => text.includes("larger than 8388608 bytes"))).toHaveLength(
    1,
  );
  expect(result.outputs).toMatchObject({ jobId: "session_1", status: "completed" });
});

test("a stream may take longer than the time limit of other responses", async () => {
  await using world = await startWorld(WITH_SESSION);
  const { promise: later, resolve: continueStream } = Promise.withResolvers<void>();
  async function* stream() {
    yield "Working\n";
    await later;
    yield "Still working\n";
  }
  world.on(CREATE_V1, created(stream())).on(POLL_V1, json(200, session()));
  const inputs = { "poll-interval-seconds": "10", "poll-max-interval-seconds": "10" };
  const run = world.start("root", { fastClock: 20, inputs });
  // Five delays of at least 8 s are longer than the limit of 30 s for JSON responses.
  await world.waitForRequest(POLL_V1, 5);
  continueStream();
  await run.waitForLine("> Still working");
  world.on(POLL_V1, json(200, HALTED_WELL));
  expect((await run.result).stdout).not.toContain("was interrupted");
});

test.each(someOf(["SIGINT", "SIGTERM"] as const))(
  "%s during the stream ends the step with cancelled",
  async (signal) => {
    await using world = await startWorld(WITH_SESSION);
    world.on(CREATE_V1, created(["Working\n"], "never"));
    const run = world.start("root", { inputs: LONG_DELAY });
    await run.waitForOutput("jobId");
    const signalledAt = performance.now();
    run.signal(signal);
    const result = await run.result;
    expect(performance.now() - signalledAt).toBeLessThan(GONE_AFTER);
    expect(result.exitCode).toBe(1);
    expect(result.outputs).toMatchObject({ jobId: "session_1", errorKind: "cancelled" });
    expect(result.errors.join()).toContain("job-id");
  },
);

const NO_ID = { "x-branch-name": BRANCH };

test("without X-Session-Id, the step fails with invalid-response, and says that there may be a job", async () => {
  await using world = await startWorld(WITH_SESSION);
  world.on(CREATE_V1, created(["Working\n"], "never", NO_ID));
  const result = await world.run("root");
  expect(world.asked("service")).toEqual([CREATE_V1]);
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toMatchObject({ errorKind: "invalid-response" });
  expect(result.outputs.jobId ?? "").toBe("");
  expect(result.errors[0]).toMatch(/X-Session-Id.*a job may have been started/);
});

test.each(someOf([".", "..", " "]))("the session ID %j fails with invalid-response", async (id) => {
  await using world = await startWorld(WITH_SESSION);
  world.on(CREATE_V1, created([], "end", { ...NO_ID, "x-session-id": id }));
  const result = await world.run("root");
  expect(world.asked("service")).toEqual([CREATE_V1]);
  expect(result.outputs.errorKind).toBe("invalid-response");
});

test("a session that fails during the stream is reported as failed", async () => {
  await using world = await startWorld(WITH_SESSION);
  world.on(CREATE_V1, created(["Working\n"], "never"));
  world.on(POLL_V1, json(200, halted("error", { messageToUser: "No repository." })));
  const result = await world.run("root");
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toMatchObject({ status: "failed", errorKind: "job-failed" });
});
