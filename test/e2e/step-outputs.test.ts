import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { parseCommandFile } from "../../emulator/runner/command-files.ts";
import { json } from "../support/answers.ts";
import { someOf } from "../support/sample.ts";
import { completed, POLL, PR_LINK, type Scenario, startScenario } from "../support/scenario.ts";

/** A file that can be opened and not written to: only Linux has it. */
const FULL = existsSync("/dev/full") ? ["/dev/full"] : [];
const NOWHERE = path.resolve("/nowhere/at/all");

type Case = [string, Record<string, string>];
const UNWRITABLE: Case[] = [
  ["is missing", { GITHUB_OUTPUT: NOWHERE }],
  ...FULL.map((file): Case => ["is on a full disk", { GITHUB_OUTPUT: file }]),
  ["is a folder", { GITHUB_OUTPUT: path.resolve("/") }],
];

async function bodyOf(scenario: Scenario): Promise<string> {
  return (await scenario.github.comments(7))[0]?.body ?? "";
}

test.each(someOf(UNWRITABLE))(
  "a file for outputs that %s: nothing is lost but the outputs, and one line says so",
  async (_, env) => {
    await using scenario = await startScenario();
    const result = await scenario.run({ env });
    expect(scenario.service.requestsTo(POLL)).toHaveLength(1);
    expect(result.exitCode).toBe(1);
    expect(result.visible.join("\n")).toMatch(/Started job job_1/);
    expect(result.errors).toHaveLength(1);
    expect(result.errors[0]).toMatch(/could not be written: .*jobId.*prLink/);
    expect(result.errors[0]).not.toMatch(/Unexpected error/);
    expect(await bodyOf(scenario)).toContain(PR_LINK);
    expect(result.summary).toContain(PR_LINK);
    expect(result.notices.join()).toContain(PR_LINK);
    // The post step is told that there is nothing left to do.
    const asked = scenario.asked().length;
    const post = await scenario.run({ entry: "post", state: result.state, env });
    expect(post.exitCode).toBe(0);
    expect(post.errors).toEqual([]);
    expect(scenario.asked()).toHaveLength(asked);
    expect(await scenario.github.comments(7)).toHaveLength(1);
  },
);

test("a file for outputs that comes late gets all of them", async () => {
  await using scenario = await startScenario();
  const folder = mkdtempSync(path.join(tmpdir(), "docs-agent-outputs-"));
  const file = path.join(folder, "outputs");
  scenario.service.on(POLL, (exchange) => {
    writeFileSync(file, "");
    return json(200, completed)(exchange);
  });
  try {
    const result = await scenario.run({ env: { GITHUB_OUTPUT: file } });
    expect(result.exitCode).toBe(0);
    expect(result.errors).toEqual([]);
    const outputs = parseCommandFile(readFileSync(file, "utf8"));
    expect(outputs).toMatchObject({ jobId: "job_1", status: "completed", prLink: PR_LINK });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
