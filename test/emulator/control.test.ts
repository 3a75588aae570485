import { afterAll, beforeAll, expect, test } from "vitest";
import { type LocalWorld, startLocalWorld } from "../../emulator/local-world/index.ts";
import { type Client, clientOf } from "./client.ts";

let world: LocalWorld;
let client: Client;

beforeAll(async () => {
  world = await startLocalWorld({ steering: { durationMs: null } });
  client = clientOf(world);
});

afterAll(() => world.close());

test("what was received is recorded, without the key, and also what is refused", async () => {
  const body = '{"prompt":"\\u0000 \\"quoted\\" \u{1F680}\\u2028"}';
  const headers = { "x-mark": "here" };
  await client.call("POST", "/v2/agent/acme-docs/job?why=test", { body, headers });
  await client.call("GET", "/v2/agent/acme-docs/job/nobody", { key: undefined });
  await client.call("GET", "/_emulator/requests");
  const requests = await world.service.requests();
  expect(requests.slice(-2)).toMatchObject([
    { method: "POST", path: "/v2/agent/acme-docs/job", query: { why: "test" }, body, headers },
    { method: "GET", path: "/v2/agent/acme-docs/job/nobody" },
  ]);
  expect(JSON.stringify(requests)).not.toContain(world.service.adminKey);
});

test("the inspector shows the state without keys", async () => {
  await using other = await startLocalWorld({ inspector: true });
  const page = await fetch(`${other.service.inspectorUrl}?tab=state`);
  const html = await page.text();
  expect(html).toContain("acme-docs");
  expect(html).not.toContain(other.service.adminKey);
  expect(html).not.toContain(other.github.tokenOf("docs-agent[bot]"));
});
