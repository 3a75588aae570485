import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LocalWorld, startLocalWorld } from "../../emulator/local-world/index.ts";
import { promptFor } from "../../src/github/change-details.ts";
import type { ChangedFile } from "../../src/github/history-records.ts";
import { INTRODUCTION } from "../../src/github/prompt-context.ts";
import { type Client, clientOf } from "./client.ts";

interface Pull {
  number: number;
  title: string;
  body: string;
  draft: boolean;
  commits: number;
  changed_files: number;
  html_url: string;
  user: { login: string };
  head: { ref: string; sha: string };
  base: { ref: string };
}

interface File {
  filename: string;
  status: string;
  patch: string;
}

let world: LocalWorld;
let client: Client;

beforeAll(async () => {
  world = await startLocalWorld({ steering: { durationMs: 10 } });
  client = clientOf(world);
});

afterAll(() => world.close());

async function complete(prompt: string) {
  const { id } = (await client.create(prompt)).body;
  return client.pollUntilNot("active", id);
}

const numberIn = (prLink: string | null) => /\/pull\/(\d+)$/.exec(prLink ?? "")?.[1];

describe("a job that changed files", () => {
  test("opens a pull request with a commit on its own branch", async () => {
    const job = await complete("Explain key rotation.\nemulate: duration=5ms\nIn detail.");
    const number = numberIn(job.prLink);
    const pull = await world.github.api<Pull>(`/pulls/${number}`);
    expect(pull).toMatchObject({
      title: "Explain key rotation",
      html_url: job.prLink,
      user: { login: "docs-agent[bot]" },
      head: { ref: job.source.ref },
      base: { ref: "main" },
      commits: 1,
      changed_files: 1,
    });
    const files = await world.github.api<File[]>(`/pulls/${number}/files`);
    expect(files).toMatchObject([{ filename: "docs/explain-key-rotation.md", status: "added" }]);
    expect(files[0]?.patch).toContain("+# Key rotation\n+\n+This page is about key rotation.");
    expect(files[0]?.patch).not.toContain("emulate:");
    expect(pull.body).toContain("This adds a page about key rotation.");
    expect(pull.body).toContain(`Job \`${job.id}\` of the emulated service wrote this`);
  });

  test("writes of the changes that a batch quotes, and repeats nothing else of the prompt", async () => {
    const change = (number: number, more: object) => ({
      change: {
        ...{
          kind: "change" as const,
          key: `#${number}`,
          repository: "acme/app",
          number,
          sha: "a".repeat(40),
        },
        ...{ url: `https://github.com/acme/app/pull/${number}`, author: "writer" },
        ...{ landedAt: "2026-01-01T00:00:00Z", title: `Add the option --${number}` },
      } as const,
      ...{ labels: [], body: "", files: null, hasMoreFiles: false, ...more },
    });
    const files = [{ path: "src/retry.ts", additions: 3, deletions: 1 }] as ChangedFile[];
    const batch = [change(7, { body: "It retries.", files }), change(8, {})];
    const { prLink, id } = await complete(promptFor(null, batch, false));
    const path = `/pulls/${numberIn(prLink)}`;
    const { title, body } = await world.github.api<Pull>(path);
    expect(title).toBe("Document “Add the option --7” and 1 more");
    const [file] = await world.github.api<File[]>(`${path}/files`);
    expect(file?.filename).toBe("docs/add-the-option-7.md");
    for (const text of [
      "+# Add the option --7\n",
      "+Since [acme/app#7](https://github.com/acme/app/pull/7): Add the option --7. The change is in `src/retry.ts`.",
      "+It retries.",
      "+## Add the option --8",
    ]) {
      expect(file?.patch).toContain(text);
    }
    expect(body).toContain(
      "- [acme/app#8](https://github.com/acme/app/pull/8): Add the option --8",
    );
    expect(`${body}${file?.patch}`).not.toMatch(/quoted|instructions|^\+?>/m);

    const pull = `Your pull request ${prLink} is not ready to be merged: there is 1 failed check.`;
    await client.message(id, `${pull}\n\n---\n\n${INTRODUCTION}\n\n## Failed check\n\n> links`);
    await client.pollUntilNot("active", id);
    const [mended] = await world.github.api<File[]>(`${path}/files`);
    expect(mended?.patch).toContain("+This page was corrected after its checks and reviews.");
    expect(mended?.patch).not.toMatch(/links|not ready/);
  });
});

describe("what a job's steering makes of its pull request", () => {
  interface Runs {
    check_runs: { name: string; conclusion: string; app: { slug: string }; id: number }[];
  }
  const followUp = async (id: string, prompt: string) => {
    await client.message(id, prompt);
    return client.pollUntilNot("active", id);
  };

  test.each([
    ["checks=red", "", ["failure", "success"]],
    ["checks=stuck", "", ["failure", "failure"]],
    ["checks=green", "", ["success", "success"]],
    ["checks=red", "emulate: checks=red", ["failure", "failure"]],
    ["checks=none", "", [undefined, undefined]],
  ])("%s, then a follow-up with '%s'", async (option, line, conclusions) => {
    const { id, source } = await complete(`Explain ${option} ${line.length}.\nemulate: ${option}`);
    const check = async () =>
      (await world.github.api<Runs>(`/commits/${source.ref}/check-runs`)).check_runs[0];
    const first = await check();
    await followUp(id, `Mend it.\n${line}`);
    expect([first?.conclusion, (await check())?.conclusion]).toEqual(conclusions);
  });
});
