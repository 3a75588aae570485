import { expect, test } from "vitest";
import type { RunOptions } from "../../emulator/runner/runner.ts";
import { json } from "../support/answers.ts";
import { issueComment } from "../support/events.ts";
import { CREATE, completed, MESSAGE, POLL } from "../support/scenario.ts";
import {
  BRANCH,
  CREATE_V1,
  created,
  HALTED_WELL,
  startScenarioV1,
} from "../support/scenario-v1.ts";

/** Somebody wrote `/docs …` under issue 7. */
function request(commentId: number, text: string): RunOptions {
  const trigger = issueComment(7, commentId);
  const event = structuredClone(trigger.event) as { comment: { body: string } };
  event.comment.body = `/docs ${text}`;
  return { ...trigger, event, runId: String(commentId) };
}

const inputs = { prompt: "", "trigger-phrase": "/docs" };

test("a further request by phrase starts a new session, and the comment says so", async () => {
  await using scenario = await startScenarioV1();
  await scenario.run({ ...request(501, "Describe the webhooks."), inputs });
  const headers = { "x-session-id": "session_2", "x-branch-name": BRANCH };
  scenario.service.on(CREATE_V1, created([], "end", headers));
  scenario.service.on(
    "GET /v1/agent/docs/job/session_2",
    json(200, { ...HALTED_WELL, sessionId: "session_2" }),
  );
  const result = await scenario.run({ ...request(502, "Add an example."), inputs });
  expect(scenario.service.requestsTo(CREATE_V1)).toHaveLength(2);
  expect(result.outputs.jobId).toBe("session_2");
  const [first, second] = (await scenario.github.comments(7)).map(({ body }) => body);
  expect(first).not.toContain("a new job was started");
  expect(second).toMatch(/version 1.*a new job was started/);
});

test("version 2 sends no message to a session of version 1", async () => {
  await using scenario = await startScenarioV1();
  await scenario.run({ ...request(501, "Describe the webhooks."), inputs });
  scenario.service.on(CREATE, json(201, completed)).on(POLL, json(200, completed));
  const result = await scenario.run({
    ...request(502, "Add an example."),
    inputs: { ...inputs, "api-version": "v2" },
  });
  expect(scenario.service.requestsTo(MESSAGE)).toEqual([]);
  expect(scenario.service.requestsTo(CREATE)).toHaveLength(1);
  expect(result.outputs.jobId).toBe("job_1");
  expect((await scenario.github.comments(7)).at(-1)?.body).toContain("a new job was started");
});
