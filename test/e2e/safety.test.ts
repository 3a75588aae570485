import { expect, test } from "vitest";
import type { RunOptions } from "../../emulator/runner/runner.ts";
import { ADMIN_KEY } from "../../emulator/service/state.ts";
import { json } from "../support/answers.ts";
import { SECRETS } from "../support/world/conversation.ts";
import { CREATE, POLL, record, WITH_JOB } from "../support/world/jobs.ts";
import { startWorld } from "../support/world/world.ts";

test("the first line of the log masks the key", async () => {
  await using world = await startWorld(WITH_JOB);
  const result = await world.run("root");
  expect(result.log[0]).toMatchObject({ kind: "mask", text: ADMIN_KEY });
});

const COMMANDS = [
  "x\n::set-output name=jobId::evil",
  "::set-env name=NODE_OPTIONS::--require=evil",
  "::add-mask::active",
  "\r::stop-commands::t",
  "##[save-state name=job]evil",
  "::endgroup::\r\n::error::forged",
].join("\n");

test("text from the service starts no workflow command", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(CREATE, json(201, record("active", { model: COMMANDS })));
  world.on(
    POLL,
    json(500, { error: COMMANDS }),
    json(200, record(COMMANDS)),
    json(
      200,
      record("failed", { model: COMMANDS, source: { repository: COMMANDS, ref: COMMANDS } }),
    ),
  );
  const result = await world.run("root", { debug: true });
  expect(result.log.filter(({ kind }) => kind === "command")).toEqual([]);
  expect(SECRETS).toEqual(expect.arrayContaining(result.masks));
  expect(result.errors).toHaveLength(1);
  expect(result.errors).not.toContain("forged");
  expect(result.outputs).toMatchObject({ jobId: "job_1", status: "failed" });
  expect(result.environment).toEqual({});
});

test.each<[string, RunOptions]>([
  ["an output file that cannot be written", { env: { GITHUB_OUTPUT: "/nowhere/output" } }],
  [
    "an event that is not JSON",
    { env: { GITHUB_EVENT_PATH: "event.json" }, workspaceFiles: { "event.json": "{" } },
  ],
])(
  "an unexpected error, from %s, fails the step with one error, and the stack is only in the debug log",
  async (_, options) => {
    await using world = await startWorld(WITH_JOB);
    const result = await world.run("root", options);
    expect(result.exitCode).toBe(1);
    expect(result.errors).toHaveLength(1);
    expect(result.visible.join("\n")).not.toMatch(/^\s+at .*:\d+:\d+/m);
    expect(result.debug.join("\n")).toMatch(/^\s+at .*:\d+:\d+/m);
  },
);

test("with UNDICI_NO_WASM_SIMD, requests work", async () => {
  await using world = await startWorld(WITH_JOB);
  const result = await world.run("root", { env: { UNDICI_NO_WASM_SIMD: "1" } });
  expect(result.outputs).toMatchObject({ jobId: "job_1", status: "completed" });
});
