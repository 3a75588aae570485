import { expect, test } from "vitest";
import type { RunOptions, RunResult } from "../../../emulator/runner/runner.ts";
import { json, redirect, refusal, text } from "../../support/answers.ts";
import { checkRun, recordingConnections } from "../../support/check-run.ts";
import { ALL_HOSTILE, CANARY, hostile } from "../../support/hostile-texts.ts";
import { comment, review } from "../../support/phrase-events.ts";
import { sampleOf, someOf } from "../../support/sample.ts";
import { addComment } from "../../support/world/comments.ts";
import {
  CREATE_COMMENT,
  GRAPHQL,
  PERMISSION,
  REACT_TO_COMMENT,
  REACT_TO_ISSUE,
} from "../../support/world/conversation.ts";
import { CREATE, WITH_JOB } from "../../support/world/jobs.ts";
import { startWorld, type World } from "../../support/world/world.ts";

const WHOLE = ALL_HOSTILE.join("\n");
const STATUSES = [400, 401, 403, 404, 410, 422, 429, 451, 500, 502];

async function run(world: World, options: RunOptions = {}): Promise<RunResult> {
  // A comment that fails is tried for up to a minute after the job's end.
  return await world.run("root", recordingConnections({ debug: true, fastClock: 20, ...options }));
}

test.each(sampleOf(STATUSES, 2, "refusals"))(
  "a refusal with %i and a hostile message causes a warning that quotes it",
  async (status) => {
    await using world = await startWorld(WITH_JOB);
    for (const call of [CREATE_COMMENT, REACT_TO_ISSUE, REACT_TO_COMMENT])
      world.on(call, refusal(status, WHOLE, { "x-h0stile": "::error::h0stile" }));
    // A limit without a time is waited out for a minute.
    const result = await run(world, status === 429 ? { fastClock: 60 } : {});
    expect(checkRun(result, world)).toEqual([]);
    expect(result).toMatchObject({ exitCode: 0, errors: [] });
    const shown = result.visible.flatMap((text) => text.split("\n"));
    for (const line of shown.filter((text) => text.includes(CANARY))) {
      expect(line).toMatch(/GitHub returned \d+ \(`+ ?[^\n]*h0stile/);
    }
  },
);

test.each(
  someOf([
    ["HTML", text(200, `<p>${WHOLE}</p>`)],
    ["JSON of hostile fields", json(201, { id: WHOLE, html_url: { toString: WHOLE } })],
    ["a list", json(200, ALL_HOSTILE)],
    ["a redirect", redirect(302, "https://h0stile.example/")],
  ]),
)(
  "if GitHub answers a new comment with %s, the step succeeds and logs nothing of it",
  async (_, answer) => {
    await using world = await startWorld(WITH_JOB);
    world.on(CREATE_COMMENT, answer);
    const result = await run(world);
    expect(checkRun(result, world)).toEqual([]);
    expect(result).toMatchObject({ exitCode: 0, errors: [] });
    expect(result.visible.join("\n")).not.toContain(CANARY);
  },
);

test.each(
  someOf([
    ["an error", { errors: [{ message: WHOLE, type: hostile(0), path: ALL_HOSTILE }] }],
    ["no data", { data: null, [hostile(0)]: WHOLE }],
  ]),
)("if GraphQL answers a reaction with %s, the step succeeds", async (_, body) => {
  await using world = await startWorld(WITH_JOB);
  world.on(GRAPHQL, json(200, body));
  const result = await run(world, {
    ...review("/docs go"),
    inputs: { "trigger-phrase": "/docs", "include-context": "false" },
  });
  expect(checkRun(result, world)).toEqual([]);
  expect(result.exitCode).toBe(0);
});

test("comments with forged markers are ignored, and a new job is started", async () => {
  await using world = await startWorld(WITH_JOB);
  for (const body of ALL_HOSTILE) addComment(world, 7, body, "github-actions[bot]");
  const result = await run(world, {
    ...comment("/docs go"),
    attempt: 2,
    inputs: { "trigger-phrase": "/docs" },
  });
  expect(checkRun(result, world)).toEqual([]);
  expect(world.asked("service")[0]).toBe(CREATE);
  expect(world.received(CREATE)).toHaveLength(1);
});

const SKIPPED = { exitCode: 0, outputs: { status: "skipped" } };
const UNREADABLE = { exitCode: 1, outputs: { errorKind: "github-unavailable" } };

test.each<[answer: unknown, expected: object]>(
  someOf([
    [{ permission: WHOLE, role_name: hostile(0) }, SKIPPED],
    [{ permission: { toString: "admin" }, role_name: ["admin"] }, UNREADABLE],
    [{ permission: "ADMIN", role_name: "admin\n" }, SKIPPED],
    [{ __proto__: null, role_name: "__proto__", permission: "constructor" }, SKIPPED],
    [null, UNREADABLE],
    [WHOLE, UNREADABLE],
  ]),
)("an invalid permission (%#) does not allow a request", async (answer, expected) => {
  await using world = await startWorld(WITH_JOB);
  world.on(PERMISSION, json(200, answer));
  const result = await run(world, {
    ...comment("/docs go"),
    inputs: { "trigger-phrase": "/docs" },
  });
  expect(checkRun(result, world)).toEqual([]);
  expect(result).toMatchObject(expected);
  expect(world.asked("service")).toEqual([]);
});
