import { expect, test } from "vitest";
import { text } from "../support/answers.ts";
import { byPhrase, comment } from "../support/asks.ts";
import { ASK, part, setAssistantScene } from "../support/assistant-scene.ts";
import { CREATE, completed, LOOK, MESSAGE, PR_LINK, record, setScene } from "../support/scene.ts";
import { HALTED_WELL, LOOK_V1, setSceneV1 } from "../support/scene-v1.ts";

const JSON_TYPE = { "content-type": "application/json" };

/** JSON as some servers write it. */
const marked = (status: number, body: unknown) =>
  text(status, `\uFEFF${JSON.stringify(body)}`, JSON_TYPE);

test("a byte order mark before the records of a job is passed over", async () => {
  await using scene = await setScene();
  scene.service.on(CREATE, marked(201, record("active"))).on(LOOK, marked(200, completed));
  const result = await scene.run();
  expect(result).toMatchObject({ exitCode: 0, warnings: [] });
  expect(result.outputs).toMatchObject({ jobId: "job_1", status: "completed", prLink: PR_LINK });
});

test("so it is before the answer to a message, and before an error", async () => {
  await using scene = await setScene();
  scene.service.on(MESSAGE, marked(200, record("active"))).on(LOOK, marked(200, completed));
  const inputs = { "job-id": "job_1" };
  expect((await scene.run({ inputs })).outputs.status).toBe("completed");
  scene.service.on(MESSAGE, marked(400, { error: "The prompt is too long" }));
  expect((await scene.run({ inputs })).errors.join("\n")).toContain("The prompt is too long");
});

test("so it is before a session of version 1", async () => {
  await using scene = await setSceneV1();
  scene.service.on(LOOK_V1, marked(200, HALTED_WELL));
  expect(await scene.run()).toMatchObject({ exitCode: 0, outputs: { status: "completed" } });
});

test("so it is before an answer of the assistant", async () => {
  await using scene = await setAssistantScene();
  scene.service.on(ASK, marked(200, { role: "assistant", content: "Yes." }));
  expect((await scene.run()).outputs.answer).toBe("Yes.");
  const stream = `\uFEFF${part("0", "No.")}${part("d", { finishReason: "stop" })}`;
  scene.service.on(ASK, text(200, stream, { "content-type": "text/plain" }));
  expect((await scene.run()).outputs.answer).toBe("No.");
});

test("so it is before what GitHub says", async () => {
  await using scene = await setScene();
  scene.github.answer("permission", marked(200, { permission: "admin", role_name: "admin" }));
  const result = await scene.run(byPhrase(comment("/docs explain retries")));
  expect(result.outputs.status).toBe("completed");
});
