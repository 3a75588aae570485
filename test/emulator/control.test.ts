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

test("fields set by hand are shown until the next follow-up", async () => {
  const { id } = (await client.create("Explain keys.")).body;
  await world.service.setJob(id, { status: "archived", archivedAt: "2030-01-01T00:00:00Z" });
  expect((await client.poll(id)).body).toMatchObject({ status: "archived" });
  expect((await client.message(id, "More.")).body).toMatchObject({
    status: "active",
    archivedAt: null,
  });
});

test("a fault answers as often as it was asked to, and only on its route", async () => {
  const { id } = (await client.create("Explain keys.")).body;
  await world.service.addFault({
    route: "v2-get",
    status: 503,
    times: 2,
    headers: { "retry-after": "1" },
  });
  expect((await client.create("Explain keys.")).status).toBe(201);
  const first = await client.poll(id);
  expect([first.status, first.headers.get("retry-after")]).toEqual([503, "1"]);
  expect((await client.poll(id)).status).toBe(503);
  expect((await client.poll(id)).status).toBe(200);
});

test("faults that were not used up can be forgotten", async () => {
  await world.service.addFault({ route: "v2-create", status: 500, times: 9 });
  await world.service.clearFaults();
  expect((await client.create("Explain keys.")).status).toBe(201);
});

test("jobs are told with the agent's todos", async () => {
  const { id } = (await client.create("Explain keys.\nemulate: duration=never")).body;
  const job = (await world.service.jobs()).find((it) => it.id === id);
  expect(job?.record.status).toBe("active");
  expect(job?.session).toMatchObject({ sessionId: id, title: "Explain keys.", haulted: false });
  expect(job?.session.todos[0]?.status).toBe("in_progress");
});

test("a path that the service does not have is a 404", async () => {
  expect((await client.call("GET", "/v3/agent")).status).toBe(404);
});

test("the inspector shows the state without keys", async () => {
  await using other = await startLocalWorld({ inspector: true });
  const page = await fetch(`${other.service.inspectorUrl}?tab=state`);
  const html = await page.text();
  expect(html).toContain("acme-docs");
  expect(html).not.toContain(other.service.adminKey);
  expect(html).not.toContain(other.github.tokenOf("docs-agent[bot]"));
});
