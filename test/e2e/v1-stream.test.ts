import { expect, test } from "vitest";
import { held, json } from "../support/answers.ts";
import type { Answer } from "../support/faulty-server.ts";
import { PR_LINK, type Scenario } from "../support/scenario.ts";
import {
  BRANCH,
  CREATE_V1,
  created,
  HALTED_WELL,
  LIST_V1,
  POLL_V1,
  session,
  startScenarioV1,
} from "../support/scenario-v1.ts";
import { endless } from "../support/streams.ts";

const MIB = 1024 * 1024;
const EVENTS = {
  "content-type": "text/event-stream",
  "x-session-id": "session_1",
  "x-branch-name": BRANCH,
};

/** Keeps the session at work until the step has logged what the test waits for. */
async function runUntil(scenario: Scenario, seen: string) {
  const poll = held(json(200, HALTED_WELL));
  scenario.service.on(POLL_V1, poll);
  const run = scenario.start();
  await run.waitForLine(seen);
  poll.release();
  return await run.result;
}

test("the stream is logged as it comes, and the agent's words bear a mark", async () => {
  await using scenario = await startScenarioV1();
  const pieces = ["Reading the rep", "ository\r", "\nWriting webhooks.mdx\n\n\nDo", "ne"];
  scenario.service.on(CREATE_V1, created(pieces));
  const { visible } = await runUntil(scenario, "Done");
  const said = visible.filter((line) => line.startsWith("> "));
  expect(said).toEqual(["> Reading the repository", "> Writing webhooks.mdx", "> Done"]);
});

test("of server-sent events only the data is logged", async () => {
  await using scenario = await startScenarioV1();
  const pieces = [
    ": keep-alive\n\nevent: step\nid: 1\nretry: 100\nda",
    'ta: {"text":"Reading"}\n\ndata:Writing\r\ndata: Checking\n\ndata: [DONE]\n\n',
  ];
  scenario.service.on(CREATE_V1, created(pieces, "end", EVENTS));
  const { visible } = await runUntil(scenario, "Checking");
  const said = visible.filter((line) => line.startsWith("> "));
  expect(said).toEqual(['> {"text":"Reading"}', "> Writing", "> Checking"]);
});

test("a stream that never ends holds neither the polls nor the process", async () => {
  await using scenario = await startScenarioV1();
  scenario.service.on(CREATE_V1, created(["Working\n"], "never"));
  scenario.service.on(POLL_V1, json(200, session()), json(200, HALTED_WELL));
  const result = await scenario.run();
  expect(scenario.asked()).toEqual([CREATE_V1, POLL_V1, POLL_V1]);
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({ status: "completed", prLink: PR_LINK });
  expect(result.stdout).not.toContain("was interrupted");
  await scenario.service.waitForDisconnect();
});

test("a stream that talks for ever is read up to 8 MiB, and the job is followed to its end", async () => {
  await using scenario = await startScenarioV1();
  const line = `${"The agent thinks aloud about a page. ".repeat(200)}\n`;
  const stream = created(endless(line.repeat(10)), "never");
  const poll = held(json(200, HALTED_WELL));
  scenario.service.on(POLL_V1, poll).on(CREATE_V1, async (exchange) => {
    await stream(exchange);
    // The other side has closed the connection.
    poll.release();
  });
  const result = await scenario.run();
  expect(result.exitCode).toBe(0);
  expect(result.stdout.length).toBeGreaterThan(8 * MIB);
  expect(result.stdout.length).toBeLessThan(10 * MIB);
  expect(result.visible.filter((text) => text.includes("longer than 8 MiB"))).toHaveLength(1);
  expect(result.outputs).toMatchObject({ jobId: "session_1", status: "completed" });
});

test("a stream that breaks does not end the job", async () => {
  await using scenario = await startScenarioV1();
  scenario.service.on(CREATE_V1, created(["Reading\n", "half a li"], "reset"));
  const result = await runUntil(scenario, "was interrupted");
  expect(result.visible).toContain("> half a li");
  expect(result.visible.filter((text) => text.includes("was interrupted"))).toHaveLength(1);
  expect(result.exitCode).toBe(0);
  expect(result.errors).toEqual([]);
  expect(result.outputs).toMatchObject({ jobId: "session_1", status: "completed" });
});

const NO_ID = { "x-branch-name": BRANCH };
/** Created by the request: the service's clock is the test's. */
const fresh = (more: Record<string, unknown> = {}) =>
  session({ createdAt: new Date().toISOString(), ...more });
const old = (more: Record<string, unknown> = {}) =>
  session({ createdAt: "2026-01-01T00:00:00Z", ...more });
/** A list whose sessions were created when it is asked for. */
const list =
  (...sessions: (() => unknown)[]): Answer =>
  (exchange) =>
    json(200, { allSessions: sessions.map((make) => make()) })(exchange);

test("without X-Session-Id the session is found by its branch, once the stream is over", async () => {
  await using scenario = await startScenarioV1();
  const { promise: second, resolve: sayMore } = Promise.withResolvers<void>();
  const { promise: end, resolve: stopTalking } = Promise.withResolvers<void>();
  async function* talk() {
    yield "Working\n";
    await second;
    yield "Still working\n";
    await end;
  }
  scenario.service.on(CREATE_V1, created(talk(), "end", NO_ID));
  const others = [
    () => fresh({ sessionId: "other", branch: "docs-agent/run-1000-1" }),
    () => old({ sessionId: "older" }),
  ];
  const unreadable = [() => null, () => ({ branch: BRANCH })];
  scenario.service.on(LIST_V1, list(...others, fresh, ...unreadable));
  const run = scenario.start();
  await run.waitForLine("> Working");
  sayMore();
  await run.waitForLine("> Still working");
  expect(scenario.service.requestsTo(LIST_V1)).toEqual([]);
  stopTalking();
  const result = await run.result;
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({ jobId: "session_1", status: "completed", ref: BRANCH });
  expect(scenario.service.requestsTo(CREATE_V1)).toHaveLength(1);
  expect(scenario.service.requestsTo(POLL_V1)).toHaveLength(1);
});

const NAMELESS = { ...NO_ID, "content-type": "text/event-stream" };
const PRETTY: Answer = ({ response }) => {
  response.writeHead(200, { "content-type": "application/json; charset=utf-8" });
  response.end(JSON.stringify({ sessionId: "session_1", branch: "docs/pretty" }, null, 2));
};

test.each<[string, Answer]>([
  ["is JSON", json(200, session())],
  ["is JSON of nothing else", json(201, { sessionId: "session_1" })],
  ["is JSON on many lines", PRETTY],
  [
    "is a text that begins with JSON",
    created(['\n{"sessionId":"session_1"}\nAt work\n'], "never", NO_ID),
  ],
  ["is an event that is JSON", created(['data: {"sessionId":"session_1"}\n\n'], "never", NAMELESS)],
])("an answer without X-Session-Id that %s names its session", async (_, answer) => {
  await using scenario = await startScenarioV1();
  scenario.service.on(CREATE_V1, answer);
  const result = await scenario.run();
  expect(scenario.asked()).toEqual([CREATE_V1, POLL_V1]);
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({
    jobId: "session_1",
    status: "completed",
    prLink: PR_LINK,
  });
});

test("what the agent says later names no session", async () => {
  await using scenario = await startScenarioV1();
  const pieces = ["Reading a file\n", '{"sessionId":"session_666"}\n'];
  scenario.service.on(CREATE_V1, created(pieces, "end", NO_ID));
  const found = session({ createdAt: new Date().toISOString() });
  scenario.service.on(LIST_V1, json(200, { allSessions: [found] }));
  const result = await scenario.run();
  expect(result.outputs.jobId).toBe("session_1");
});
