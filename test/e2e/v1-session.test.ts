import { expect, test } from "vitest";
import { json } from "../support/answers.ts";
import { someOf } from "../support/sample.ts";
import { PR_LINK } from "../support/world/jobs.ts";
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
import { startWorld } from "../support/world/world.ts";

const ACTIVE: [string, unknown][] = [
  ["is not halted", session({ haultReason: undefined })],
  ["is processing", session()],
  ["is halted and yet processing", halted("processing")],
  ["is not halted although its reason is completed", session({ haultReason: "completed" })],
  ["has neither field", { sessionId: "session_1" }],
];

test.each(someOf(ACTIVE))("a session that %s is active", async (_, record) => {
  await using world = await startWorld(WITH_SESSION);
  world.on(POLL_V1, json(200, record), json(200, HALTED_WELL));
  const result = await world.run("root");
  expect(world.received(POLL_V1)).toHaveLength(2);
  expect(result.outputs.status).toBe("completed");
  expect(result.warnings).toHaveLength(1);
});

const COMPLETED: [string, unknown][] = [
  ["has the reason completed", HALTED_WELL],
  ["has only a reason", { haultReason: "completed", pullRequestLink: PR_LINK }],
  ["has a reason in another case", { ...HALTED_WELL, haultReason: " Completed" }],
];

test.each(someOf(COMPLETED))("a halted session that %s is completed", async (_, record) => {
  await using world = await startWorld(WITH_SESSION);
  world.on(POLL_V1, json(200, record));
  const result = await world.run("root");
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({
    jobId: "session_1",
    status: "completed",
    prLink: PR_LINK,
    ref: BRANCH,
  });
});

test.each(
  someOf([
    ["repohost_missconfigured", /repository's host is misconfigured[\s\S]*Check [\s\S]*access/],
    ["github_missconfigured", /repository's host is misconfigured/],
    ["github_misconfigured", /repository's host is misconfigured/],
    ["error", /an unrecoverable error/],
    ["interrupted", /interrupted/],
    ["out_of_credits", /does not know \(`out_of_credits`\)/],
    ["constructor", /does not know \(`constructor`\)/],
    [null, /does not know\./],
  ]),
)(
  "a session halted with %j fails the step, and the error and the comment explain the reason",
  async (reason, explanation) => {
    await using world = await startWorld(WITH_SESSION);
    world.on(POLL_V1, json(200, halted(reason, { messageToUser: "I could not push." })));
    const result = await world.run("root");
    expect(result.exitCode).toBe(1);
    expect(result.outputs).toMatchObject({
      status: "failed",
      errorKind: "job-failed",
      message: "I could not push.",
    });
    expect(result.errors).toHaveLength(1);
    for (const text of [result.errors[0], result.outputs.errorMessage]) {
      expect(text).toContain("I could not push.");
      expect(text).toMatch(explanation);
    }
    const body = world.comment(7);
    expect(body.match(/I could not push\./g)).toHaveLength(1);
    expect(body).toMatch(explanation);
  },
);

test("fields that are missing, null or of another type are no outputs", async () => {
  await using world = await startWorld(WITH_SESSION);
  world.on(CREATE_V1, created([], "end", { "x-session-id": "session_1" }));
  world.on(
    POLL_V1,
    json(200, {
      haulted: true,
      haultReason: "completed",
      branch: null,
      todos: "none",
      messageToUser: 7,
      createdAt: {},
      title: [],
    }),
  );
  const result = await world.run("root", { fastClock: 30 });
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({ jobId: "session_1", status: "completed" });
  for (const name of ["message", "todos", "createdAt", "prLink"]) {
    expect(result.outputs[name] ?? "").toBe("");
  }
});

const TODOS = [
  { id: "1", content: "Read the pages", status: "completed", priority: "high" },
  { id: "2", content: "Translate it", status: "cancelled", priority: "low" },
];

test("the to-do list is an output, and the comment contains the agent's message", async () => {
  await using world = await startWorld(WITH_SESSION);
  world.on(
    POLL_V1,
    json(200, session({ todos: TODOS.slice(1) })),
    json(200, { ...HALTED_WELL, todos: TODOS }),
  );
  const result = await world.run("root");
  expect(JSON.parse(result.outputs.todos ?? "")).toEqual(TODOS);
  const last = world.comment(7);
  expect(last).toContain("I have described the webhooks.");
});
