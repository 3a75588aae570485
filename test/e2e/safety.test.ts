import { expect, test } from "vitest";
import type { RunOptions } from "../../emulator/runner/runner.ts";
import { json } from "../support/answers.ts";
import { API_KEY, CREATE, POLL, record, SECRETS, startScenario } from "../support/scenario.ts";

test("the first line of the log masks the key", async () => {
  await using scenario = await startScenario();
  const result = await scenario.run();
  expect(result.log[0]).toMatchObject({ kind: "mask", text: API_KEY });
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
  await using scenario = await startScenario();
  scenario.service.on(CREATE, json(201, record("active", { model: COMMANDS })));
  scenario.service.on(
    POLL,
    json(500, { error: COMMANDS }),
    json(200, record(COMMANDS)),
    json(
      200,
      record("failed", { model: COMMANDS, source: { repository: COMMANDS, ref: COMMANDS } }),
    ),
  );
  const result = await scenario.run({ debug: true });
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
    await using scenario = await startScenario();
    const result = await scenario.run(options);
    expect(result.exitCode).toBe(1);
    expect(result.errors).toHaveLength(1);
    expect(result.visible.join("\n")).not.toMatch(/^\s+at .*:\d+:\d+/m);
    expect(result.debug.join("\n")).toMatch(/^\s+at .*:\d+:\d+/m);
  },
);

test("with UNDICI_NO_WASM_SIMD, requests work", async () => {
  await using scenario = await startScenario();
  const result = await scenario.run({ env: { UNDICI_NO_WASM_SIMD: "1" } });
  expect(result.outputs).toMatchObject({ jobId: "job_1", status: "completed" });
});
