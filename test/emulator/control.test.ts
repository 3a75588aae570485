import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keyHash } from "../../emulator/http/recorded-requests.ts";
import { type LocalWorld, startLocalWorld } from "../../emulator/local-world/index.ts";
import { type Client, clientOf } from "./client.ts";

let world: LocalWorld;
let client: Client;

beforeAll(async () => {
  world = await startLocalWorld({ steering: { durationMs: null } });
  client = clientOf(world);
});

afterAll(() => world.close());

test("what was received is recorded to the byte, and the key only by its hash", async () => {
  const body = '{"prompt":"\\u0000 \\"quoted\\" \u{1F680}\u2028"}';
  await client.call("POST", "/v2/agent/acme-docs/job?why=test", {
    body,
    headers: { "x-mark": "here" },
  });
  const [request] = (await world.service.requests()).slice(-1);
  expect(request).toMatchObject({
    method: "POST",
    path: "/v2/agent/acme-docs/job",
    query: { why: "test" },
    keyHash: keyHash(world.service.adminKey),
    body,
    bodyBytes: Buffer.byteLength(body),
    bodySha256: createHash("sha256").update(body).digest("hex"),
  });
  expect(request?.headers["x-mark"]).toBe("here");
  expect(JSON.stringify(request)).not.toContain(world.service.adminKey);
});

test("a fault on a route that does not exist is refused", async () => {
  const reply = await client.call("POST", "/_emulator/faults", {
    body: { route: "x", status: 500 },
  });
  expect([reply.status, reply.body]).toEqual([400, { error: expect.stringContaining("v2-get") }]);
});

test("the inspector shows the state without keys", async () => {
  await using other = await startLocalWorld({ inspector: true });
  const page = await fetch(`${other.service.inspectorUrl}?tab=state`);
  const html = await page.text();
  expect(html).toContain("acme-docs");
  expect(html).not.toContain(other.service.adminKey);
  expect(html).not.toContain(other.github.tokenOf("docs-agent[bot]"));
});
