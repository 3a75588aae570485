import { expect, test } from "vitest";
import type { RunOptions, RunResult } from "../../../emulator/runner/runner.ts";
import { MAX_TEXT } from "../../../src/service/agent.ts";
import { cut } from "../../../src/text/markdown.ts";
import { each, json } from "../../support/answers.ts";
import { checkRun, recordingConnections } from "../../support/check-run.ts";
import {
  ALL_HOSTILE,
  CANARY,
  chunks,
  headerSafe,
  hostile,
  LONG_LINE,
} from "../../support/hostile-texts.ts";
import { chanceOf, isExhaustive, someOf } from "../../support/sample.ts";
import { PR_LINK } from "../../support/world/jobs.ts";
import {
  CREATE_V1,
  created,
  HALTED_WELL,
  halted,
  POLL_V1,
  session,
  WITH_SESSION,
} from "../../support/world/sessions.ts";
import { startWorld, type World } from "../../support/world/world.ts";

/** The number of texts in one run, and the index of the first one. */
const COUNT = isExhaustive ? ALL_HOSTILE.length : 20;
const FIRST = Math.floor(chanceOf("first text of version 1") * ALL_HOSTILE.length);
const ANY_POLL = "GET service /v1/agent/acme-docs/job/:id";

async function run(world: World, options: RunOptions = {}): Promise<RunResult> {
  return await world.run("root", recordingConnections({ debug: true, ...options }));
}

/** Fields of a session, each with another text. They do not end the session. */
function hostileFields(nth: number): Record<string, unknown> {
  return {
    subdomain: hostile(nth),
    branch: hostile(nth + 1),
    haultReason: hostile(nth + 2),
    pullRequestLink: hostile(nth + 3),
    messageToUser: hostile(nth + 4),
    todos: [
      { content: hostile(nth + 5), status: "in_progress", priority: hostile(nth + 6), id: 1 },
      {
        content: hostile(nth + 7),
        status: hostile(nth + 8),
        priority: "high",
        id: hostile(nth + 9),
      },
      { content: hostile(nth + 10), status: "cancelled", [hostile(nth)]: hostile(nth + 1) },
      hostile(nth + 11),
    ],
    userId: hostile(nth + 12),
    title: hostile(nth + 13),
    createdAt: hostile(nth + 14),
    [hostile(nth + 15)]: hostile(nth + 16),
  };
}

test("every hostile text in every field of a polled session has no effect", async () => {
  await using world = await startWorld(WITH_SESSION);
  world.on(
    POLL_V1,
    each((nth) =>
      json(
        200,
        session({
          ...hostileFields(FIRST + nth),
          sessionId: "session_1",
          haulted: nth === COUNT,
        }),
      ),
    ),
  );
  const result = await run(world);
  expect(checkRun(result, world)).toEqual([]);
  expect(result.outputs).toMatchObject({ jobId: "session_1", status: "failed" });
  expect(world.received(POLL_V1)).toHaveLength(COUNT + 1);
});

test.each(
  someOf([
    "completed",
    "error",
    "repohost_missconfigured",
    hostile(0),
    "x`y",
    "@octocat",
    `${CANARY}_${CANARY}`,
  ]),
)("outputs of a session halted with %j are the hostile texts of the service", async (reason) => {
  await using world = await startWorld(WITH_SESSION);
  const messageToUser = ALL_HOSTILE.join("\n");
  const todos = ALL_HOSTILE.slice(0, 150).map((content, index) => ({
    id: String(index),
    content,
    status: "completed",
    priority: "low",
  }));
  const more = { messageToUser, todos, branch: messageToUser, pullRequestLink: PR_LINK };
  world.on(POLL_V1, json(200, halted(reason, more)));
  const result = await run(world);
  expect(checkRun(result, world)).toEqual([]);
  const { message, ref, todos: todosOutput } = result.outputs;
  expect(message === messageToUser.slice(0, 32 * 1024).toWellFormed()).toBe(true);
  expect(ref === cut(messageToUser, MAX_TEXT).toWellFormed()).toBe(true);
  const written = (text: string) => text.slice(0, 1000).toWellFormed();
  expect(JSON.parse(todosOutput ?? "")).toEqual(
    todos
      .filter(({ content }) => content.trim() !== "")
      .map((todo) => ({ ...todo, content: written(todo.content) })),
  );
});

/** The texts of a stream. The last one marks its end. */
const STREAMED = [...ALL_HOSTILE, LONG_LINE, ALL_HOSTILE.join(""), `${CANARY}, all said`];

test.each<[string, (text: string) => string, string]>([
  ["text", (text) => `${text}\n`, "text/plain"],
  ["text in pieces", (text) => `${text}\r`, "text/plain; charset=utf-8"],
  ["events", (text) => `event: x\nid: ${CANARY}\ndata: ${text}\n\n`, "text/event-stream"],
])("a hostile stream of %s is logged with a mark on each line", async (_, line, type) => {
  await using world = await startWorld(WITH_SESSION);
  const bytes = Buffer.from(STREAMED.map(line).join(""));
  const size = type === "text/plain" ? bytes.length : 997;
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_unused, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
  const headers = { "x-session-id": "session_1", "content-type": type };
  let isOver = false;
  world
    .on(CREATE_V1, created(pieces, "end", headers))
    .on(POLL_V1, (exchange) => json(200, isOver ? HALTED_WELL : session())(exchange));
  const running = world.start("root", recordingConnections({ debug: true }));
  await running.waitForLine(`${CANARY}, all said`);
  isOver = true;
  const result = await running.result;
  expect(checkRun(result, world)).toEqual([]);
  expect(result.exitCode).toBe(0);
  const shown = result.visible.filter((text) => text.includes(CANARY));
  expect(shown.length).toBeGreaterThan(ALL_HOSTILE.length / 2);
  for (const text of shown) expect(text).toMatch(/^> /);
});

test("hostile headers with the ID and the branch are the outputs jobId and ref", async () => {
  await using world = await startWorld(WITH_SESSION);
  const branch = headerSafe().join(" ").slice(0, 400);
  for (const id of chunks(900)
    .flatMap((chunk) => chunk.split(/[\n\r]/))
    .filter(isHeader)
    .slice(0, 3)) {
    world
      .on(CREATE_V1, created([], "end", { "x-session-id": id, "x-branch-name": branch }))
      .on(
        ANY_POLL,
        json(200, halted("completed", { sessionId: id, branch: null, pullRequestLink: PR_LINK })),
      );
    const result = await run(world);
    expect(checkRun(result, world)).toEqual([]);
    expect(result.outputs.jobId).toBe(id.trim());
    expect(result.outputs.ref).toBe(branch.trim());
  }
});

function isHeader(text: string): boolean {
  return /^[\x21-\x7E][\x20-\x7E]{10,900}$/.test(text);
}
