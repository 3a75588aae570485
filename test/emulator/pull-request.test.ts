import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LocalWorld, startLocalWorld } from "../../emulator/local-world/index.ts";
import { type Client, clientOf } from "./client.ts";

interface Pull {
  number: number;
  title: string;
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
const pulls = () => world.github.api<Pull[]>("/pulls?state=all&per_page=100");

describe("a job that changed files", () => {
  test("opens a pull request with a commit on its own branch", async () => {
    const job = await complete("Explain key rotation.\nemulate: duration=5ms\nIn detail.");
    const number = numberIn(job.prLink);
    const pull = await world.github.api<Pull>(`/pulls/${number}`);
    expect(pull).toMatchObject({
      title: "Explain key rotation.",
      html_url: job.prLink,
      user: { login: "docs-agent[bot]" },
      head: { ref: job.source.ref },
      base: { ref: "main" },
      commits: 1,
      changed_files: 1,
    });
    const files = await world.github.api<File[]>(`/pulls/${number}/files`);
    expect(files).toMatchObject([{ filename: "docs/explain-key-rotation.md", status: "added" }]);
    expect(files[0]?.patch).toContain("+In detail.");
    expect(files[0]?.patch).not.toContain("emulate:");
  });

  test("adds a commit to the same pull request after a follow-up", async () => {
    const first = await complete("Explain webhooks.");
    const number = numberIn(first.prLink);
    const before = await world.github.api<Pull>(`/pulls/${number}`);

    await client.message(first.id, "Mention signatures.");
    const second = await client.pollUntilNot("active", first.id);

    expect(second.prLink).toBe(first.prLink);
    const after = await world.github.api<Pull>(`/pulls/${number}`);
    expect(after.commits).toBe(2);
    expect(after.head.sha).not.toBe(before.head.sha);
    const [file] = await world.github.api<File[]>(`/pulls/${number}/files`);
    expect(file?.patch).toContain("+Explain webhooks.");
    expect(file?.patch).toContain("+Mention signatures.");
  });

  test("opens it once, however many poll at that moment", async () => {
    const before = (await pulls()).length;
    const { id } = (await client.create("Explain errors.\nemulate: duration=1ms")).body;
    const polls = await Promise.all(Array.from({ length: 20 }, () => client.poll(id)));
    await client.pollUntilNot("active", id);
    expect(polls.every(({ status }) => status === 200)).toBe(true);
    expect((await pulls()).length).toBe(before + 1);
  });

  test("fails when GitHub refuses, and the reason is on the turn", async () => {
    await using other = await startLocalWorld({
      steering: { durationMs: 1 },
      service: { projects: [{ id: "acme-docs", repository: "acme/missing" }] },
    });
    const { create, pollUntilNot } = clientOf(other);
    const { id } = (await create("Explain keys.")).body;
    expect(await pollUntilNot("active", id)).toMatchObject({ status: "failed", prLink: null });
    const [job] = await other.service.jobs();
    expect(job?.turns[0]?.outcome?.reason).toContain("404");
  });
});
