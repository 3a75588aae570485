import { afterAll, beforeAll, expect, test } from "vitest";
import { type LocalWorld, startLocalWorld } from "../../emulator/local-world/index.ts";

let world: LocalWorld;

beforeAll(async () => {
  world = await startLocalWorld({ hasOneClock: true, files: { "docs/keys.md": "# Keys\n" } });
});
afterAll(() => world.close());

interface Started {
  statusId: string;
  previewUrl?: string;
}

/** Sends a request to the service; a POST has a body. */
async function ask(path: string, body?: object): Promise<{ status: number; body: unknown }> {
  const { url, adminKey } = world.service;
  const method = path.includes("update-status") ? "GET" : "POST";
  const response = await fetch(`${url}/v1/project/${path}`, {
    method,
    headers: { authorization: `Bearer ${adminKey}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

async function start(path: string, body?: object): Promise<Started> {
  return (await ask(path, body)).body as Started;
}

const read = async (id: string) => (await ask(`update-status/${id}`)).body;

test("a deployment is built from the project's branch, through its states", async () => {
  const { github } = world;
  const { statusId } = await start("update/acme-docs");
  expect(await read(statusId)).toMatchObject({ _id: statusId, status: "queued", endedAt: null });
  await github.advance(1_000);
  expect(await read(statusId)).toMatchObject({ status: "in_progress" });
  await github.advance(1_000);
  expect(await read(statusId)).toMatchObject({
    status: "success",
    source: "api",
    commit: { sha: github.home.tip(), ref: "main" },
    logs: expect.arrayContaining(["Parsing docs/keys.md"]),
  });
});

test("a file in the branch decides how it is built", async () => {
  const { github } = world;
  const steering = "emulate: build=stuck build-time=0s\n";
  github.home.openPull({ branch: "bad", commits: [{ files: { "emulate.txt": steering } }] });
  const { statusId, previewUrl } = await start("preview/acme-docs", { branch: "bad" });
  expect(previewUrl).toContain("/previews/acme-docs/bad");
  expect(await read(statusId)).toMatchObject({ status: "failure" });
});

test("previews are limited to 5 a minute, and deployments to 10 in ten seconds", async () => {
  await world.github.advance(60_000);
  const statuses = async (count: number, path: string, body?: object) => {
    const answers = await Promise.all(Array.from({ length: count }, () => ask(path, body)));
    return answers.map(({ status }) => status);
  };
  const previews = await statuses(6, "preview/acme-docs", { branch: "main" });
  expect(previews.toSorted()).toEqual([202, 202, 202, 202, 202, 429]);
  const deployments = await statuses(11, "update/acme-docs");
  expect(deployments.filter((status) => status === 202)).toHaveLength(10);
  expect(deployments).toContain(429);
});

test("a plan without previews, an unknown branch and an unknown project are refused", async () => {
  await world.github.advance(60_000);
  expect(await ask("preview/acme-docs", { branch: "none" })).toMatchObject({ status: 400 });
  expect(await ask("update/other")).toMatchObject({ status: 404 });
  await using plain = await startLocalWorld({ service: { hasPreviews: false } });
  const { url, adminKey } = plain.service;
  const response = await fetch(`${url}/v1/project/preview/acme-docs`, {
    method: "POST",
    headers: { authorization: `Bearer ${adminKey}` },
    body: JSON.stringify({ branch: "main" }),
  });
  expect(response.status).toBe(403);
});
