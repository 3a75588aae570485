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

  test("a caller that is not on the key's list is a 403", async () => {
    const reply = await post("mint_office");
    expect([reply.status, reply.body]).toEqual([
      403,
      { error: expect.stringContaining("127.0.0.1") },
    ]);
    expect((await post("mint_office", { "x-forwarded-for": "192.0.2.7" })).status).toBe(201);
  });

  test("the assistant takes none but its own kind", async () => {
    const path = "/discovery/v1/assistant/acme/message";
    const { call } = clientOf(world);
    expect((await call("POST", path, { key: "mint_writer", body: {} })).status).toBe(401);
    expect((await call("POST", path, { key: "mint_dsc_assistant", body: {} })).status).toBe(400);
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

  test("lets through again when the window has passed", async () => {
    const limit = { uses: 1, windowMs: 200, retryAfterSeconds: 1 };
    await using world = await startLocalWorld({ steering, service: { limit } });
    const { create } = clientOf(world);
    const reply = [(await create("one")).status, (await create("two")).status];
    while (reply.at(-1) === 429) reply.push((await create("two")).status);
    expect(reply.slice(0, 2)).toEqual([201, 429]);
    expect(reply.at(-1)).toBe(201);
  });

  test.each([
    ["seconds", "7"],
    ["date", expect.stringMatching(/ GMT$/)],
    ["none", null],
  ] as const)("tells Retry-After as %s", async (retryAfterForm, expected) => {
    const limit = { uses: 0, retryAfterSeconds: 7, retryAfterForm };
    await using world = await startLocalWorld({ service: { limit } });
    const { headers } = await clientOf(world).create("one");
    expect(headers.get("retry-after")).toEqual(expected);
  });
});
