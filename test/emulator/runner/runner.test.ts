import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runAction, startAction } from "../../../emulator/runner/runner.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "docs-agent-action-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** Writes an action with these scripts as main and post entry. */
function writeAction(main: string, post = ""): void {
  writeFileSync(
    path.join(folder, "action.yml"),
    `name: Probe
inputs:
  api-key: { description: Key }
  wait for it: { description: Wait, default: "yes" }
  api: { description: Address, default: "\${{ github.api_url }}" }
  old: { description: Old, deprecationMessage: Use api. }
  token: { description: Token, default: "\${{ github.token }}" }
outputs:
  answer: { description: Answer }
runs: { using: node24, main: main.mjs, post: post.mjs }
`,
  );
  const prelude = `import { appendFileSync, writeFileSync, readFileSync } from "node:fs"; const env = process.env;\n`;
  writeFileSync(path.join(folder, "main.mjs"), prelude + main);
  writeFileSync(path.join(folder, "post.mjs"), prelude + post);
}

test("inputs are environment variables with the runner's names, and the defaults of action.yml", async () => {
  writeAction("console.log(JSON.stringify(env))");
  const result = await runAction({
    action: folder,
    inputs: { "API-Key": "k3y" },
    apiUrl: "http://127.0.0.1:1/api",
    token: "t0ken",
  });
  expect(JSON.parse(result.stdout)).toMatchObject({
    "INPUT_API-KEY": "k3y",
    INPUT_WAIT_FOR_IT: "yes",
    INPUT_API: "http://127.0.0.1:1/api",
    INPUT_TOKEN: "t0ken",
    GITHUB_API_URL: "http://127.0.0.1:1/api",
  });
});

test("an input that is not declared is a warning, and the step gets it all the same", async () => {
  writeAction(`console.log(env.INPUT_PROJECT + env["INPUT_API-KEY"])`);
  const result = await runAction({ action: folder, inputs: { "API-key": "k3y", Project: "docs" } });
  expect(result.stdout).toBe("docsk3y\n");
  expect(result.warnings).toEqual([
    "Unexpected input(s) 'Project', valid inputs are ['api-key', 'wait for it', 'api', 'old', 'token']",
  ]);
});

test("a deprecated input is a warning with its message, if the workflow sets it", async () => {
  writeAction("console.log(env.INPUT_OLD)");
  const result = await runAction({ action: folder, inputs: { Old: "x" } });
  expect(result.stdout).toBe("x\n");
  expect(result.warnings).toEqual(["Input 'Old' has been deprecated with message: Use api."]);
  expect((await runAction({ action: folder })).warnings).toEqual([]);
});

test("a step does not inherit the environment", async () => {
  process.env.HTTPS_PROXY = "http://127.0.0.1:1";
  try {
    writeAction("console.log(JSON.stringify(env))");
    const result = await runAction({ action: folder, env: { EXTRA: "1" } });
    const names = Object.keys(JSON.parse(result.stdout));
    expect(names).toContain("EXTRA");
    expect(names.filter((name) => /proxy|vitest|npm_/i.test(name))).toEqual([]);
  } finally {
    delete process.env.HTTPS_PROXY;
  }
});

test("what a step writes is in the result, and the post entry gets the state", async () => {
  writeAction(
    `appendFileSync(env.GITHUB_OUTPUT, "answer<<E\\n42\\nE\\n");
    appendFileSync(env.GITHUB_STATE, "job<<E\\njob_1\\nE\\n");
    appendFileSync(env.GITHUB_STEP_SUMMARY, "# Done\\n");
    writeFileSync(env.RUNNER_TEMP + "/note.txt", readFileSync("note.md"));
    console.error("::warning title=T::low");
    process.exitCode = 3;`,
    `console.log(env.STATE_job)`,
  );
  const result = await runAction({ action: folder, workspaceFiles: { "note.md": "hello" } });
  expect(result).toMatchObject({
    exitCode: 3,
    signal: null,
    outputs: { answer: "42" },
    state: { job: "job_1" },
    summary: "# Done\n",
    warnings: ["low"],
  });
  expect(Object.values(result.files)).toEqual(["hello", "hello"]);
  const post = await runAction({ action: folder, entry: "post", state: result.state });
  expect(post.stdout).toBe("job_1\n");
});

test("the lines and outputs of a running step can be waited for, and it can be signalled", async () => {
  writeAction(
    `process.on("SIGINT", () => { console.log("signalled"); process.exit(1); });
    setInterval(() => {}, 1000);
    appendFileSync(env.GITHUB_OUTPUT, "answer=1\\n");
    process.stdout.write("rea"); setTimeout(() => process.stdout.write("dy\\r\\nnext\\r"), 10);`,
  );
  const run = startAction({ action: folder });
  await run.waitForOutput("answer");
  await run.waitForLine(/^ready$/);
  run.signal("SIGINT");
  const result = await run.result;
  expect(result).toMatchObject({ exitCode: 1, signal: null });
  expect(run.lines).toEqual(["ready", "next", "signalled"]);
});

test("a step that exceeds its limit is killed, and the error contains its log", async () => {
  writeAction(`setInterval(() => {}, 1000); console.log("stuck here");`);
  await expect(runAction({ action: folder, limitMs: 5_000 })).rejects.toThrow("stuck here");
});

test.skipIf(process.platform === "win32")(
  "a script runs in bash, stops at the first error, and gives outputs",
  async () => {
    const script = 'echo "of $GITHUB_REPOSITORY, $OWN"\necho "done=yes" >> "$GITHUB_OUTPUT"\n';
    const run = (text: string) =>
      runAction({ script: text, repository: "acme/docs", env: { OWN: "own" } });
    expect(await run(script)).toMatchObject({
      exitCode: 0,
      stdout: "of acme/docs, own\n",
      outputs: { done: "yes" },
    });
    expect(await run(`false\n${script}`)).toMatchObject({ exitCode: 1, outputs: {} });
  },
);
