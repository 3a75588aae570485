import { expect, test } from "vitest";
import type { RunOptions } from "../../emulator/runner/runner.ts";
import { json } from "../support/answers.ts";
import { issueComment } from "../support/events.ts";
import { CREATE, completed, LOOK, MESSAGE } from "../support/scene.ts";
import { BRANCH, CREATE_V1, created, HALTED_WELL, setSceneV1 } from "../support/scene-v1.ts";

/** Somebody wrote `/docs …` under issue 7. */
function request(commentId: number, text: string): RunOptions {
  const trigger = issueComment(7, commentId);
  const event = structuredClone(trigger.event) as { comment: { body: string } };
  event.comment.body = `/docs ${text}`;
  return { ...trigger, event, runId: String(commentId) };
}

const inputs = { prompt: "", "trigger-phrase": "/docs" };

test("a further request by phrase starts a new session, and the comment says so", async () => {
  await using scene = await setSceneV1();
  await scene.run({ ...request(501, "Describe the webhooks."), inputs });
  const headers = { "x-session-id": "session_2", "x-branch-name": BRANCH };
  scene.service.on(CREATE_V1, created([], "end", headers));
  scene.service.on(
    "GET /v1/agent/docs/job/session_2",
    json(200, { ...HALTED_WELL, sessionId: "session_2" }),
  );
  const result = await scene.run({ ...request(502, "Add an example."), inputs });
  expect(scene.service.requestsTo(CREATE_V1)).toHaveLength(2);
  expect(result.outputs.jobId).toBe("session_2");
  const [first, second] = (await scene.github.comments(7)).map(({ body }) => body);
  expect(first).not.toContain("a new one was started");
  expect(second).toMatch(/version 1.*a new one was started/);
});

test("version 2 sends no message to a session of version 1", async () => {
  await using scene = await setSceneV1();
  await scene.run({ ...request(501, "Describe the webhooks."), inputs });
  scene.service.on(CREATE, json(201, completed)).on(LOOK, json(200, completed));
  const result = await scene.run({
    ...request(502, "Add an example."),
    inputs: { ...inputs, "api-version": "v2" },
  });
  expect(scene.service.requestsTo(MESSAGE)).toEqual([]);
  expect(scene.service.requestsTo(CREATE)).toHaveLength(1);
  expect(result.outputs.jobId).toBe("job_1");
  expect((await scene.github.comments(7)).at(-1)?.body).toContain("a new one was started");
});
