import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { RunOptions } from "../../emulator/runner/runner.ts";
import { someOf } from "../support/sample.ts";
import { type Scenario, SECRETS, startScenario } from "../support/scenario.ts";

/** Nothing was sent anywhere, and one error says which input is wrong. */
async function expectRefused(
  scenario: Scenario,
  options: RunOptions,
  ...words: (string | RegExp)[]
) {
  const result = await scenario.run(options);
  expect(scenario.asked()).toEqual([]);
  expect(scenario.github.server.requests).toEqual([]);
  expect(result.exitCode).toBe(1);
  expect(result.errors).toHaveLength(1);
  for (const word of words) expect(result.errors[0]).toMatch(word);
  expect(result.outputs.errorKind).toBe("invalid-input");
  expect(result.outputs.errorMessage).not.toBe("");
  expect(result.outputs.jobId ?? "").toBe("");
  return result;
}

test.each(
  someOf([
    ["empty", ""],
    ["white space", " \t\n\u00a0 "],
  ]),
)("a prompt that is %s", async (_, prompt) => {
  await using scenario = await startScenario();
  await expectRefused(scenario, { inputs: { prompt } }, "prompt");
});

test.each(
  someOf([
    ["is missing", "docs/none.md"],
    ["is above the workspace", "../../../secret.md"],
    ["is elsewhere on the machine", "/etc/hostname"],
    ["is a directory", "folder"],
    ["leads outside by a symbolic link", "link.md"],
    ["leads outside by a linked directory", "linked/secret.md"],
    ["is not UTF-8", "latin1.md"],
    ["is empty", "empty.md"],
    ["holds white space only", "blank.md"],
  ]),
)("a prompt-file that %s", async (_, file) => {
  await using scenario = await startScenario();
  const options: RunOptions = {
    inputs: { prompt: "", "prompt-file": file },
    workspaceFiles: {
      "latin1.md": Buffer.from([0x64, 0xe9, 0x6a, 0xe0]),
      "empty.md": "",
      "blank.md": " \n\n",
    },
    prepareWorkspace: (workspace) => {
      const outside = path.join(workspace, "../../..");
      writeFileSync(path.join(outside, "secret.md"), "what nobody should read");
      mkdirSync(path.join(workspace, "folder"));
      symlinkSync(path.join(outside, "secret.md"), path.join(workspace, "link.md"));
      symlinkSync(outside, path.join(workspace, "linked"));
    },
  };
  const result = await expectRefused(scenario, options, "prompt-file");
  expect(result.stdout).not.toContain("what nobody should read");
});

test("a prompt-file behind a link that stays in the workspace is fine", async () => {
  await using scenario = await startScenario();
  const result = await scenario.run({
    inputs: { prompt: "", "prompt-file": "link.md" },
    workspaceFiles: { "docs/prompt.md": "From a file." },
    prepareWorkspace: (workspace) => {
      symlinkSync(path.join(workspace, "docs/prompt.md"), path.join(workspace, "link.md"));
    },
  });
  expect(result.exitCode).toBe(0);
  expect(JSON.parse(scenario.service.requests[0]?.body.toString() ?? "").prompt).toBe(
    "From a file.",
  );
});

test("a prompt and a prompt-file together", async () => {
  await using scenario = await startScenario();
  const options = { inputs: { "prompt-file": "a.md" }, workspaceFiles: { "a.md": "x" } };
  await expectRefused(scenario, options, "prompt-file", "prompt");
});

test("an empty api-key speaks of forks", async () => {
  await using scenario = await startScenario();
  await expectRefused(scenario, { inputs: { "api-key": "" } }, "api-key", /fork/, /secret/);
});

test.each(
  someOf([
    ["a line feed", "mint_first\nmint_second"],
    ["a carriage return", "mint_first\rmint_second"],
  ]),
)("an api-key with %s is refused, and no part of it is shown", async (_, key) => {
  await using scenario = await startScenario();
  const result = await expectRefused(scenario, { inputs: { "api-key": key } }, "api-key");
  const shown = [...result.visible, ...Object.values(result.outputs), result.summary].join("\n");
  expect(shown).not.toContain("mint_first");
  expect(shown).not.toContain("mint_second");
});

test("ids with slashes, spaces and Unicode are encoded, not refused", async () => {
  await using scenario = await startScenario();
  await scenario.run({
    inputs: { "project-id": "a/b c?é#", "job-id": "../x y%2e/ü", prompt: "" },
  });
  expect(scenario.service.requests[0]?.path).toBe(
    "/v2/agent/a%2Fb%20c%3F%C3%A9%23/job/..%2Fx%20y%252e%2F%C3%BC",
  );
});

const NOT_POSITIVE = ["ten", "0", "-1", "NaN", "1e999", "Infinity", "3 s", "1,5"];
const POSITIVE = ["positive number"];

/** Values that are refused, and what the error says is allowed instead. */
const REFUSED: Record<string, { values: string[]; allowed: string[] }> = {
  "project-id": { values: ["", ".", ".."], allowed: [] },
  "job-id": { values: [".", ".."], allowed: [] },
  "timeout-minutes": { values: NOT_POSITIVE, allowed: POSITIVE },
  "poll-interval-seconds": { values: NOT_POSITIVE, allowed: POSITIVE },
  "poll-max-interval-seconds": { values: NOT_POSITIVE, allowed: POSITIVE },
  wait: { values: ["yes"], allowed: ["true", "false"] },
  comment: { values: ["yes"], allowed: ["true", "false"] },
  "if-timeout": { values: ["fail"], allowed: ["error", "warn"] },
  "if-no-changes": { values: ["fail"], allowed: ["ignore", "warn", "error"] },
  "issue-number": { values: ["abc", "0", "-3", "1.5", "1e3", "#7"], allowed: [] },
  "base-url": {
    values: [
      "api.example",
      "ftp://127.0.0.1/",
      "http://api.example",
      "http://127.0.0.1.api.example",
      "https://user@api.example",
    ],
    allowed: [],
  },
};

// All wrong inputs are reported in one go, so that one run tries a value of each.
test.each(someOf([...NOT_POSITIVE.keys()]))(
  "wrong values of all inputs: each is named with what is allowed (%i)",
  async (nth) => {
    await using scenario = await startScenario();
    const wrong = Object.entries(REFUSED).flatMap(([name, { values, allowed }]) => {
      const value = values[nth];
      return value === undefined ? [] : [{ name, value, allowed }];
    });
    const inputs = Object.fromEntries(wrong.map(({ name, value }) => [name, value]));
    const { errors } = await expectRefused(scenario, { inputs });
    const lines = errors.join("\n").split("\n");
    for (const { name, value, allowed } of wrong) {
      const own = lines.filter((line) => line.includes(`${name}: `));
      expect(own, name).toHaveLength(1);
      for (const word of [...allowed, ...(value.includes("@") ? [] : [value])])
        expect(own[0]).toContain(word);
    }
  },
);

test("a base-url with a password is refused without showing it", async () => {
  await using scenario = await startScenario();
  const value = scenario.service.url.replace("//", "//user:s3cret@");
  const result = await expectRefused(scenario, { inputs: { "base-url": value } }, "base-url");
  expect(JSON.stringify(result)).not.toContain("s3cret");
});

test.each(someOf(["abc", "0", "-3", "1.5", "1e3", "#7"]))("issue-number: %s", async (value) => {
  await using scenario = await startScenario();
  await expectRefused(scenario, { inputs: { "issue-number": value } }, "issue-number", value);
});

test("every wrong input is reported in one go", async () => {
  await using scenario = await startScenario();
  const inputs = {
    "api-key": "",
    "project-id": "..",
    prompt: " ",
    wait: "yes",
    "timeout-minutes": "0",
    "poll-interval-seconds": "soon",
    "if-timeout": "fail",
    "issue-number": "abc",
    "base-url": "http://api.example",
  };
  await expectRefused(scenario, { inputs }, ...Object.keys(inputs));
});

test("a wrong value cannot start a workflow command", async () => {
  await using scenario = await startScenario();
  const wait = "x\n::set-env name=PWNED::1\r##[add-mask]e\n::stop-commands::t";
  const result = await expectRefused(scenario, { inputs: { wait } }, "wait");
  expect(result.log.filter(({ kind }) => kind === "command")).toEqual([]);
  expect(SECRETS).toEqual(expect.arrayContaining(result.masks));
});

test("booleans are taken in the spellings of YAML", async () => {
  await using scenario = await startScenario();
  const result = await scenario.run({ inputs: { wait: "False", comment: "FALSE" } });
  expect(result.exitCode).toBe(0);
  expect(result.outputs.status).toBe("active");
  expect(scenario.github.bodies).toEqual([]);
});

test("a base-url may end in a slash and have a path", async () => {
  await using scenario = await startScenario();
  scenario.service.on("POST /api/v2/agent/docs/job", ({ response }) => {
    response.writeHead(201, { "content-type": "application/json" });
    response.end('{"id":"job_1","status":"completed"}');
  });
  const result = await scenario.run({
    inputs: { "base-url": `${scenario.service.url}/api/`, wait: "false" },
  });
  expect(scenario.asked()).toEqual(["POST /api/v2/agent/docs/job"]);
  expect(result.exitCode).toBe(0);
});

/** Where a key of the wrong kind would be sent, were it not recognised: nothing listens there. */
const NOWHERE = { HTTPS_PROXY: "http://127.0.0.1:9" };

test.each(
  someOf([
    ["an assistant", "mint_dsc_k3y"],
    ["an index", "mint_us_k3y"],
  ]),
)("%s key for the service is recognised before it is sent", async (kind, key) => {
  await using scenario = await startScenario();
  const inputs = { "api-key": key, "base-url": "https://api.mintlify.com" };
  const result = await expectRefused(scenario, { inputs, env: NOWHERE }, "api-key", kind, "admin");
  expect([...result.visible, result.summary].join("\n")).not.toContain(key);
});

test("another service may begin its keys as it likes", async () => {
  await using scenario = await startScenario();
  const result = await scenario.run({ inputs: { "api-key": "mint_dsc_k3y" } });
  expect(result.exitCode).toBe(0);
});
