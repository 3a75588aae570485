import { expect, test } from "vitest";
import { ADMIN_KEY } from "../../emulator/service/state.ts";
import { json } from "../support/answers.ts";
import { expectInvalidInput } from "../support/expect-invalid-input.ts";
import { someOf } from "../support/sample.ts";
import { PROMPT } from "../support/world/actions.ts";
import { LONG_DELAY, POLL, PR_LINK } from "../support/world/jobs.ts";

import {
  BRANCH,
  CREATE_V1,
  created,
  HALTED_WELL,
  POLL_V1,
  session,
  WITH_SESSION,
} from "../support/world/sessions.ts";
import { startWorld } from "../support/world/world.ts";

const bodyOf = (request: { body: Buffer } | undefined) =>
  JSON.parse(request?.body.toString() ?? "null");

test("with version 1, a job is created, polled until its end, and reported", async () => {
  await using world = await startWorld(WITH_SESSION);
  world.on(POLL_V1, json(200, session()), json(200, HALTED_WELL));
  const result = await world.run("root");
  expect(world.asked("service")).toEqual([CREATE_V1, POLL_V1, POLL_V1]);
  const [create] = world.received("service");
  expect(create?.headers).toMatchObject({
    authorization: `Bearer ${ADMIN_KEY}`,
    "content-type": "application/json",
  });
  expect(create?.headers.accept).toMatch(/text\/plain.*text\/event-stream/);
  expect(bodyOf(create)).toEqual({
    branch: BRANCH,
    messages: [{ role: "user", content: PROMPT }],
  });
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({
    jobId: "session_1",
    status: "completed",
    prLink: PR_LINK,
    prNumber: "9",
    ref: BRANCH,
    createdAt: "2026-08-01T12:00:00.000Z",
    message: "I have described the webhooks.",
    todos: "[]",
    commentUrl: world.comments(7)[0]?.url,
  });
  for (const name of ["model", "repository", "archivedAt", "errorKind"]) {
    expect(result.outputs[name] ?? "").toBe("");
  }
});

test("version 1 causes one warning that it is deprecated, and version 2 causes none", async () => {
  await using world = await startWorld(WITH_SESSION);
  world.on(POLL_V1, json(200, session()), json(200, session()), json(200, HALTED_WELL));
  const result = await world.run("root");
  expect(result.warnings).toHaveLength(1);
  expect(result.warnings[0]).toMatch(/deprecated.*v2|deprecated.*version 2/);
  world.on("POST service /v2/agent/acme-docs/job", json(201, { id: "job_1", status: "completed" }));
  world.on(POLL, json(200, { id: "job_1", status: "completed" }));
  const other = await world.run("root", { fastClock: 30, inputs: { "api-version": "v2" } });
  expect(other.exitCode).toBe(0);
  expect(other.warnings).toEqual([]);
});

test("branch, as-draft, model and messages are sent, followed by the prompt", async () => {
  await using world = await startWorld(WITH_SESSION);
  const messages = [
    { role: "system", content: "Write in British English." },
    { role: "user", content: "Where are the webhooks?" },
    { role: "assistant", content: "In api/webhooks.mdx." },
  ];
  await world.run("root", {
    inputs: {
      branch: "docs/webhooks",
      "as-draft": "False",
      model: "opus",
      messages: JSON.stringify(messages),
    },
  });
  expect(bodyOf(world.received("service")[0])).toEqual({
    branch: "docs/webhooks",
    asDraft: false,
    model: "opus",
    messages: [...messages, { role: "user", content: PROMPT }],
  });
});

test("with wait: false, the step ends while the session is streaming", async () => {
  await using world = await startWorld(WITH_SESSION);
  world.on(CREATE_V1, created(["Working\n"], "never"));
  const result = await world.run("root", { inputs: { wait: "false" } });
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({ jobId: "session_1", status: "active", ref: BRANCH });
  expect(world.asked("service")).toEqual([CREATE_V1]);
});

test("a second attempt waits for the session of the first one", async () => {
  await using world = await startWorld(WITH_SESSION);
  world.on(POLL_V1, json(200, session()));
  const first = await world.run("root", { inputs: { "timeout-minutes": "0.1" } });
  expect(first.outputs.errorKind).toBe("timeout");
  world.on(POLL_V1, json(200, session()), json(200, HALTED_WELL));
  const second = await world.run("root", { attempt: 2 });
  expect(world.received(CREATE_V1)).toHaveLength(1);
  expect(second.outputs).toMatchObject({ jobId: "session_1", status: "completed" });
  expect(world.comments(7)).toHaveLength(1);
});

test("the post step polls a session with version 1, without a warning", async () => {
  await using world = await startWorld(WITH_SESSION);
  const run = world.start("root", { inputs: LONG_DELAY });
  await run.waitForOutput("commentUrl");
  run.signal("SIGKILL");
  const { state } = await run.result;
  const post = await world.run("root", { entry: "post", state });
  expect(world.asked("service")).toEqual([CREATE_V1, POLL_V1]);
  expect(post.exitCode).toBe(0);
  expect(post.warnings.join()).not.toContain("deprecated");
  expect(world.comment(7)).toContain(PR_LINK);
});

test.each(someOf(["v2", ""]))(
  "with version %j, inputs of version 1 are refused",
  async (version) => {
    await using world = await startWorld(WITH_SESSION);
    const inputs = { branch: "docs/x", "as-draft": "true", model: "opus", messages: "[]" };
    const result = await world.run("root", { inputs: { "api-version": version, ...inputs } });
    expectInvalidInput(result, [...Object.keys(inputs), "v1"]);
  },
);

test("one error reports every invalid input of version 1", async () => {
  await using world = await startWorld(WITH_SESSION);
  const inputs = { branch: "a b", "as-draft": "yes", model: "haiku", messages: "{", wait: "maybe" };
  const result = await world.run("root", { inputs });
  expectInvalidInput(result, Object.keys(inputs));
});
