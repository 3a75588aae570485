// Only the faults that the fault matrix in test/trust does not contain.

import { expect, test } from "vitest";
import { drip, json, notHttp, text } from "../support/answers.ts";
import { schedule } from "../support/events.ts";
import type { Answer } from "../support/faulty-server.ts";
import { someOf } from "../support/sample.ts";
import { CREATE, completed, gaps, POLL, record, WITH_JOB } from "../support/world/jobs.ts";
import { startWorld } from "../support/world/world.ts";

const active = json(200, record("active"));
const ended = json(200, completed);
/** An answer that undici's parser does not expect. */
const unaskedUpgrade: Answer = ({ socket }) =>
  void socket.end("HTTP/1.1 101 Switching Protocols\r\n\r\n");
const FOREIGN = "https://github.com/octo/other/pull/666";

test.each(
  someOf([
    ["something that is not HTTP", notHttp, 1],
    ["a protocol that nobody asked for", unaskedUpgrade, 1],
    ["a body that drips", drip(201, record("active"), 500), 50],
  ] as const),
)(
  "if a create request is answered with %s, it is not repeated and ends as create-uncertain",
  async (_, answer, fastClock) => {
    await using world = await startWorld(WITH_JOB);
    world.on(CREATE, answer, json(201, record("active")));
    const result = await world.run("root", { ...schedule, fastClock });
    expect(world.asked("service")).toEqual([CREATE]);
    expect(result).toMatchObject({ exitCode: 1, outputs: { errorKind: "create-uncertain" } });
  },
);

test.each(
  someOf([
    [400, "bad-request", "the prompt is too long"],
    [401, "unauthorized", "api-key"],
    [403, "forbidden", "allow-list"],
    [404, "not-found", "project-id"],
    [429, "rate-limited", "100 uses"],
  ]),
)(
  "a create request answered with %i fails with %s, and the log and the comment say what to do",
  async (status, kind, word) => {
    await using world = await startWorld(WITH_JOB);
    const error = "the prompt is too long";
    world.on(CREATE, json(status, { error }, { "retry-after": "86400" }));
    const result = await world.run("root");
    expect(result.outputs.errorKind).toBe(kind);
    const [comment] = world.comments(7);
    for (const text of [result.errors.join(), result.outputs.errorMessage, comment?.body]) {
      expect(text).toContain(word);
    }
  },
);

const Y2020 = "Wed, 01 Jan 2020 00:00:00 GMT";

test.each([
  ["at once", { "retry-after": "0" }, "Trying again in 5 s", 20],
  [
    "in ten minutes, by its own clock",
    { date: Y2020, "retry-after": Y2020.replace("00:00:00", "00:10:00") },
    "Trying again in 10 min",
    100,
  ],
])("a 429 that asks to come back %s", async (_, headers, words, fastClock) => {
  await using world = await startWorld(WITH_JOB);
  world.on(CREATE, json(429, { error: "limit" }, headers), active);
  const result = await world.run("root", { ...schedule, fastClock });
  expect(result.visible.join()).toContain(words);
  expect(result.outputs.status).toBe("completed");
});

test.each(
  someOf([
    ["nothing", text(204, "")],
    ["a record without id", json(201, { status: "active" })],
    ["a record without status", json(201, { id: "job_1" })],
    ["an id that is a number", json(201, { id: 1, status: "active" })],
    ["an id that would leave the path", json(201, { id: "..", status: "active" })],
    ["an empty id", json(201, { id: "", status: "active" })],
    ["half a line of JSON", text(201, '{"id":"job_1","sta')],
  ]),
)("a successful create response with %s fails with invalid-response", async (_, answer) => {
  await using world = await startWorld(WITH_JOB);
  world.on(CREATE, answer, json(201, record("active")));
  const result = await world.run("root");
  expect(world.asked("service")).toEqual([CREATE]);
  expect(result).toMatchObject({ exitCode: 1, outputs: { errorKind: "invalid-response" } });
});

test.each(
  someOf([
    ["something that is not HTTP", notHttp, 1],
    ["a record without status", json(200, { id: "job_1" }), 1],
    ["another job's record", json(200, { ...completed, id: "job_666", prLink: FOREIGN }), 1],
    ["a body that drips", drip(200, completed, 500), 50],
  ] as const),
)("polls answered with %s cause two warnings, and polling continues", async (_, fault, fast) => {
  await using world = await startWorld(WITH_JOB);
  world.on(POLL, active, fault, fault, active, ended);
  const result = await world.run("root", { ...schedule, fastClock: fast });
  expect(result).toMatchObject({ exitCode: 0, errors: [], outputs: { status: "completed" } });
  expect(result.warnings).toHaveLength(2);
  expect(world.received(POLL)).toHaveLength(5);
  expect(JSON.stringify(result)).not.toMatch(/(job_|pull\/)666/);
});

test("Retry-After on a successful poll replaces a shorter delay", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(POLL, json(200, record("active"), { "retry-after": "10" }), ended);
  await world.run("root", { fastClock: 20, inputs: { "poll-max-interval-seconds": "1" } });
  const [waited = 0] = gaps(world.received(POLL));
  expect(waited).toBeGreaterThan(10_000 / 20 - 10);
});
