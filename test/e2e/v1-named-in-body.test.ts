import { expect, test } from "vitest";
import { json } from "../support/answers.ts";
import type { Answer } from "../support/faulty-server.ts";
import { PR_LINK } from "../support/scenario.ts";
import {
  BRANCH,
  CREATE_V1,
  created,
  LIST_V1,
  LONG_DELAY,
  POLL_V1,
  session,
  startScenarioV1,
} from "../support/scenario-v1.ts";

const NO_ID = { "x-branch-name": BRANCH };
const EVENTS = { ...NO_ID, "content-type": "text/event-stream" };
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
  ["is an event that is JSON", created(['data: {"sessionId":"session_1"}\n\n'], "never", EVENTS)],
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

test("the branch that JSON tells is told", async () => {
  await using scenario = await startScenarioV1();
  scenario.service.on(CREATE_V1, PRETTY);
  const result = await scenario.run({ inputs: { wait: "false" } });
  expect(result.outputs).toMatchObject({ jobId: "session_1", ref: "docs/pretty" });
});

test("X-Session-Id goes before what the body says", async () => {
  await using scenario = await startScenarioV1();
  const pieces = ['{"sessionId":"session_2"}\n'];
  scenario.service.on(CREATE_V1, created(pieces));
  const result = await scenario.run();
  expect(result.outputs.jobId).toBe("session_1");
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

test("JSON that names no session: there may be one, which is looked for", async () => {
  await using scenario = await startScenarioV1();
  scenario.service.on(CREATE_V1, json(200, { ok: true }));
  const found = session({ createdAt: new Date().toISOString() });
  scenario.service.on(LIST_V1, json(200, { allSessions: [found] }));
  const result = await scenario.run({ inputs: LONG_DELAY, fastClock: 50 });
  expect(result.outputs.jobId).toBe("session_1");
  expect(scenario.service.requestsTo(CREATE_V1)).toHaveLength(1);
});
