import { expect, test } from "vitest";
import { SECRETS, startScenario } from "../support/scenario.ts";

test("a prompt of 1 MiB is sent unchanged", async () => {
  await using scenario = await startScenario();
  const line = "Describe the endpoint /v1/things — 100 % of it. ✅\n";
  const prompt = line.repeat(Math.ceil((1024 * 1024) / Buffer.byteLength(line))).trimEnd();
  const result = await scenario.run({
    inputs: { prompt: "", "prompt-file": "prompt.md" },
    workspaceFiles: { "prompt.md": prompt },
  });
  expect(result.exitCode).toBe(0);
  // A failure must not print 1 MiB.
  expect(scenario.prompts()[0] === prompt).toBe(true);
  expect(scenario.service.requests[0]?.headers["content-length"]).toBe(
    String(scenario.service.requests[0]?.body.length),
  );
});

const HARD = [
  `"double" 'single' \`back\` \\ \\n \\u0000 $HOME $(id) %0A %25`,
  "emoji 🧑‍🚀 and é, e\u0301, \u{1F1E9}\u{1F1EA}, 漢字, \u202Eright to left\u202C",
  "separators \u2028 and \u2029, \u0085, tab \t, form feed \f, escape \u001B[31m",
  "first line\r\nsecond line\rthird\n::set-output name=jobId::evil\n##[error]no\n<!-- x -->",
].join("\n");

test("quotes, backslashes, emoji and separators in a prompt are sent unchanged", async () => {
  await using scenario = await startScenario();
  const prompt = `  ${HARD}\n`;
  const result = await scenario.run({ inputs: { prompt } });
  expect(result.exitCode).toBe(0);
  expect(scenario.prompts()).toEqual([prompt]);
  expect(result.outputs.jobId).toBe("job_1");
  expect(SECRETS).toEqual(expect.arrayContaining(result.masks));
});

test("the content of prompt-file is sent unchanged, with NUL and the final line end", async () => {
  await using scenario = await startScenario();
  const prompt = `  ${HARD}\n\0 after NUL\n`;
  await scenario.run({
    inputs: { prompt: "", "prompt-file": "docs/prompt.md" },
    workspaceFiles: { "docs/prompt.md": prompt },
  });
  expect(scenario.prompts()).toEqual([prompt]);
});

test("quotes, backslashes, emoji and separators in a follow-up are sent unchanged", async () => {
  await using scenario = await startScenario();
  await scenario.run({ inputs: { prompt: HARD, "job-id": "job_1", wait: "false" } });
  expect(scenario.prompts()).toEqual([HARD]);
});
