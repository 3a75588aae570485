import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type LocalWorld, startLocalWorld } from "../../emulator/local-world/index.ts";
import type { AgentJob } from "../../emulator/service/agent/job.ts";

interface Pull {
  title: string;
  body: string;
  head: { ref: string };
}

let world: LocalWorld;
beforeAll(async () => {
  world = await startLocalWorld({ steering: { durationMs: 10 } });
});
afterAll(() => world.close());

/** Sends a prompt, to a new job or to an existing one, and waits until the job ends. */
async function complete(prompt: string, job = ""): Promise<AgentJob> {
  const { adminKey, projectId, url } = world.service;
  const jobs = `${url}/v2/agent/${projectId}/job`;
  const headers = { authorization: `Bearer ${adminKey}` };
  const ask = async (address: string, init: RequestInit = {}) =>
    (await (await fetch(address, { headers, ...init })).json()) as AgentJob;
  const body = JSON.stringify({ prompt });
  const { id } = await ask(job === "" ? jobs : `${jobs}/${job}/message`, { method: "POST", body });
  return await vi.waitUntil(
    async () => {
      const polled = await ask(`${jobs}/${id}`);
      return polled.status === "active" ? undefined : polled;
    },
    { timeout: 60_000 },
  );
}

test("a job opens a pull request with a page on its own branch", async () => {
  const job = await complete("Explain key rotation.\nemulate: duration=5ms\nIn detail.");
  const path = `/pulls/${job.prLink?.split("/").at(-1)}`;
  const pull = await world.github.api<Pull>(path);
  const head = { ref: job.source.ref };
  expect(pull).toMatchObject({ title: "Explain key rotation", head, commits: 1, changed_files: 1 });
  const [file] = await world.github.api<{ filename: string; patch: string }[]>(`${path}/files`);
  expect(file?.filename).toBe("docs/explain-key-rotation.md");
  expect(file?.patch).toContain("+# Key rotation\n+\n+This page is about key rotation.");
  expect(file?.patch).not.toContain("emulate:");
  expect(pull.body).toContain(`Job \`${job.id}\` of the emulated service wrote this`);
});

test.each([
  ["checks=red", "", ["failure", "success"]],
  ["checks=stuck", "", ["failure", "failure"]],
  ["checks=green", "", ["success", "success"]],
  ["checks=red", "emulate: checks=red", ["failure", "failure"]],
  ["checks=none", "", [undefined, undefined]],
])(
  "with %s and then a follow-up with '%s', the check's conclusions are %j",
  async (option, line, conclusions) => {
    const { id, source } = await complete(`Explain ${option} ${line.length}.\nemulate: ${option}`);
    const path = `/commits/${source.ref}/check-runs`;
    const check = async () => {
      const { check_runs } = await world.github.api<{ check_runs: { conclusion: string }[] }>(path);
      return check_runs[0]?.conclusion;
    };
    const first = await check();
    await complete(`Mend it.\n${line}`, id);
    expect([first, await check()]).toEqual(conclusions);
  },
);
