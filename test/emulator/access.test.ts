import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LocalWorld, startLocalWorld } from "../../emulator/local-world/index.ts";
import { clientOf } from "./client.ts";

describe("keys", () => {
  let world: LocalWorld;

  beforeAll(async () => {
    world = await startLocalWorld({
      service: {
        keys: [
          { secret: "mint_reader", scopes: ["read"] },
          { secret: "mint_writer", scopes: ["write"] },
          { secret: "mint_expired", expiresAt: "2020-01-01T00:00:00Z" },
          { secret: "mint_office", allowedIps: ["192.0.2.7"] },
          { secret: "mint_dsc_assistant" },
          { secret: "mint_us_index" },
        ],
      },
    });
  });

  afterAll(() => world.close());

  const post = (key: string | undefined, headers: Record<string, string> = {}) =>
    clientOf(world).call("POST", "/v2/agent/acme-docs/job", {
      key,
      headers,
      body: { prompt: "emulate: pr=none" },
    });
  const get = (key: string) => clientOf(world).call("GET", "/v1/agent/acme-docs/jobs", { key });

  test.each([
    ["no key", undefined],
    ["a wrong one", "mint_wrong"],
    ["an expired one", "mint_expired"],
    ["an assistant's", "mint_dsc_assistant"],
    ["an index key", "mint_us_index"],
  ])("%s is a 401", async (_, key) => {
    const { status, body } = await post(key);
    expect([status, body]).toEqual([401, { error: expect.any(String) }]);
  });

  test("GET needs the scope read, the rest write", async () => {
    expect((await get("mint_reader")).status).toBe(200);
    expect((await post("mint_reader")).status).toBe(403);
    expect((await get("mint_writer")).status).toBe(403);
    expect((await post("mint_writer")).status).toBe(201);
  });
});

describe("the hourly limit", () => {
  const steering = { durationMs: 1, pr: "none" };

  test("counts jobs of both versions and follow-ups of one project, not reads or bad requests", async () => {
    await using world = await startLocalWorld({ steering, service: { limit: { uses: 3 } } });
    const { call, create, message, poll } = clientOf(world);
    const { id } = (await create("one")).body;
    await create("");
    await poll(id);
    expect((await message(id, "two")).status).toBe(200);
    const messages = [{ role: "user", content: "three" }];
    await call("POST", "/v1/agent/acme-docs/job", { body: { branch: "b", messages } });

    const reply = await create("four");
    expect(reply.status).toBe(429);
    expect(reply.body).toEqual({ error: expect.stringContaining("3 uses") });
    expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(3590);
    expect((await message(id, "four")).status).toBe(429);
    expect((await poll(id)).status).toBe(200);
  });
});
