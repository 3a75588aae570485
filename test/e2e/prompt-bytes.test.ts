import { expect, test } from "vitest";
import { SECRETS } from "../support/world/conversation.ts";
import { WITH_JOB } from "../support/world/jobs.ts";
import { startWorld } from "../support/world/world.ts";

test("a prompt of 1 MiB is sent unchanged", async () => {
  await using world = await startWorld(WITH_JOB);
  const line = "Describe the endpoint /v1/things — 100 % of it. ✅\n";
  const prompt = line.repeat(Math.ceil((1024 * 1024) / Buffer.byteLength(line))).trimEnd();
  const result = await world.run("root", {
    inputs: { prompt: "", "prompt-file": "prompt.md" },
    workspaceFiles: { "prompt.md": prompt },
  });
  expect(result.exitCode).toBe(0);
  // A failure must not print 1 MiB.
  expect(world.sentPrompts()[0] === prompt).toBe(true);
  expect(world.received("service")[0]?.headers["content-length"]).toBe(
    String(world.received("service")[0]?.body.length),
  );
});

const HARD = [
  `"double" 'single' \`back\` \\ \\n \\u0000 $HOME $(id) %0A %25`,
  "emoji 🧑‍🚀 and é, e\u0301, \u{1F1E9}\u{1F1EA}, 漢字, \u202Eright to left\u202C",
  "separators \u2028 and \u2029, \u0085, tab \t, form feed \f, escape \u001B[31m",
  "first line\r\nsecond line\rthird\n::set-output name=jobId::evil\n##[error]no\n<!-- x -->",
].join("\n");

test("quotes, backslashes, emoji and separators in a prompt are sent unchanged", async () => {
  await using world = await startWorld(WITH_JOB);
  const prompt = `  ${HARD}\n`;
  const result = await world.run("root", { inputs: { prompt } });
  expect(result.exitCode).toBe(0);
  expect(world.sentPrompts()).toEqual([prompt]);
  expect(result.outputs.jobId).toBe("job_1");
  expect(SECRETS).toEqual(expect.arrayContaining(result.masks));
});

test("the content of prompt-file is sent unchanged, with NUL and the final line end", async () => {
  await using world = await startWorld(WITH_JOB);
  const prompt = `  ${HARD}\n\0 after NUL\n`;
  await world.run("root", {
    inputs: { prompt: "", "prompt-file": "docs/prompt.md" },
    workspaceFiles: { "docs/prompt.md": prompt },
  });
  expect(world.sentPrompts()).toEqual([prompt]);
});

test("quotes, backslashes, emoji and separators in a follow-up are sent unchanged", async () => {
  await using world = await startWorld(WITH_JOB);
  await world.run("root", { inputs: { prompt: HARD, "job-id": "job_1", wait: "false" } });
  expect(world.sentPrompts()).toEqual([HARD]);
});
