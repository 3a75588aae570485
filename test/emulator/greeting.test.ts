import { afterAll, beforeAll, expect, test } from "vitest";
import { type LocalWorld, startLocalWorld } from "../../emulator/local-world/index.ts";

let world: LocalWorld;

beforeAll(async () => {
  world = await startLocalWorld({ inspector: true });
});

afterAll(() => world.close());

const get = (path: string, accept: string) =>
  fetch(`${world.service.url}${path}`, { headers: { accept } });

test("the service's address tells a browser what it is and where to look", async () => {
  const response = await get("/", "text/html,application/xhtml+xml");
  expect([response.status, response.headers.get("content-type")]).toEqual([
    200,
    expect.stringContaining("text/html"),
  ]);
  const html = await response.text();
  const { url, projectId, adminKey } = world.service;
  for (const fact of ["emulated", projectId, adminKey, world.github.url]) {
    expect(html).toContain(fact);
  }
  const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, link]) => link ?? "");
  expect(links).toContain(`${url}/_emulate`);
  for (const link of links) expect([link, (await fetch(link)).status]).toEqual([link, 200]);
});

test("keys that a seed brought are not shown", async () => {
  await using other = await startLocalWorld({ service: { keys: [{ secret: "mint_of_a_test" }] } });
  const text = await (await fetch(`${other.service.url}/`)).text();
  expect(text).not.toContain("mint_");
});
