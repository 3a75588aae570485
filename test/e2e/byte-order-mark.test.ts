import { expect, test } from "vitest";
import { text } from "../support/answers.ts";
import { ASK, part, startAssistantScenario } from "../support/assistant-scenario.ts";
import { byPhrase, comment } from "../support/phrase-events.ts";
import {
  CREATE,
  completed,
  MESSAGE,
  POLL,
  PR_LINK,
  record,
  startScenario,
} from "../support/scenario.ts";
import { HALTED_WELL, POLL_V1, startScenarioV1 } from "../support/scenario-v1.ts";

const JSON_TYPE = { "content-type": "application/json" };

/** JSON as some servers write it. */
const marked = (status: number, body: unknown) =>
  text(status, `\uFEFF${JSON.stringify(body)}`, JSON_TYPE);

test("a byte order mark before the records of a job is passed over", async () => {
  await using scenario = await startScenario();
  scenario.service.on(CREATE, marked(201, record("active"))).on(POLL, marked(200, completed));
  const result = await scenario.run();
  expect(result).toMatchObject({ exitCode: 0, warnings: [] });
  expect(result.outputs).toMatchObject({ jobId: "job_1", status: "completed", prLink: PR_LINK });
});

test("so it is before the answer to a message, and before an error", async () => {
  await using scenario = await startScenario();
  scenario.service.on(MESSAGE, marked(200, record("active"))).on(POLL, marked(200, completed));
  const inputs = { "job-id": "job_1" };
  expect((await scenario.run({ inputs })).outputs.status).toBe("completed");
  scenario.service.on(MESSAGE, marked(400, { error: "The prompt is too long" }));
  expect((await scenario.run({ inputs })).errors.join("\n")).toContain("The prompt is too long");
});

test("so it is before a session of version 1", async () => {
  await using scenario = await startScenarioV1();
  scenario.service.on(POLL_V1, marked(200, HALTED_WELL));
  expect(await scenario.run()).toMatchObject({ exitCode: 0, outputs: { status: "completed" } });
});

test("so it is before an answer of the assistant", async () => {
  await using scenario = await startAssistantScenario();
  scenario.service.on(ASK, marked(200, { role: "assistant", content: "Yes." }));
  expect((await scenario.run()).outputs.answer).toBe("Yes.");
  const stream = `\uFEFF${part("0", "No.")}${part("d", { finishReason: "stop" })}`;
  scenario.service.on(ASK, text(200, stream, { "content-type": "text/plain" }));
  expect((await scenario.run()).outputs.answer).toBe("No.");
});

test("so it is before what GitHub says", async () => {
  await using scenario = await startScenario();
  scenario.github.answer("permission", marked(200, { permission: "admin", role_name: "admin" }));
  const result = await scenario.run(byPhrase(comment("/docs explain retries")));
  expect(result.outputs.status).toBe("completed");
});
