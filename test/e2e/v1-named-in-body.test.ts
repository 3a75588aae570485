import { expect, test } from "vitest";
import { json } from "../support/answers.ts";
import type { Answer } from "../support/faulty-server.ts";
import { PR_LINK } from "../support/scene.ts";
import {
  BRANCH,
  CREATE_V1,
  created,
  LIST_V1,
  LONG_DELAY,
  LOOK_V1,
  session,
  setSceneV1,
} from "../support/scene-v1.ts";

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
  await using scene = await setSceneV1();
  scene.service.on(CREATE_V1, answer);
  const result = await scene.run();
  expect(scene.asked()).toEqual([CREATE_V1, LOOK_V1]);
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({
    jobId: "session_1",
    status: "completed",
    prLink: PR_LINK,
  });
});

test("the branch that JSON tells is told", async () => {
  await using scene = await setSceneV1();
  scene.service.on(CREATE_V1, PRETTY);
  const result = await scene.run({ inputs: { wait: "false" } });
  expect(result.outputs).toMatchObject({ jobId: "session_1", ref: "docs/pretty" });
});

test("X-Session-Id goes before what the body says", async () => {
  await using scene = await setSceneV1();
  const pieces = ['{"sessionId":"session_2"}\n'];
  scene.service.on(CREATE_V1, created(pieces));
  const result = await scene.run();
  expect(result.outputs.jobId).toBe("session_1");
});

test("what the agent says later names no session", async () => {
  await using scene = await setSceneV1();
  const pieces = ["Reading a file\n", '{"sessionId":"session_666"}\n'];
  scene.service.on(CREATE_V1, created(pieces, "end", NO_ID));
  const found = session({ createdAt: new Date().toISOString() });
  scene.service.on(LIST_V1, json(200, { allSessions: [found] }));
  const result = await scene.run();
  expect(result.outputs.jobId).toBe("session_1");
});

test("JSON that names no session: there may be one, which is looked for", async () => {
  await using scene = await setSceneV1();
  scene.service.on(CREATE_V1, json(200, { ok: true }));
  const found = session({ createdAt: new Date().toISOString() });
  scene.service.on(LIST_V1, json(200, { allSessions: [found] }));
  const result = await scene.run({ inputs: LONG_DELAY, fastClock: 200 });
  expect(result.outputs.jobId).toBe("session_1");
  expect(scene.service.requestsTo(CREATE_V1)).toHaveLength(1);
});
