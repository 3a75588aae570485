import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LocalWorld, startLocalWorld } from "../../emulator/local-world/index.ts";
import { clientOf } from "./client.ts";

let world: LocalWorld;

beforeAll(async () => {
  world = await startLocalWorld();
});

afterAll(() => world.close());

function bodyOf(text: string, rest: object = {}) {
  const message = { id: "1", role: "user", content: text, parts: [{ type: "text", text }] };
  return { fp: "anonymous", messages: [message], ...rest };
}

const ask = <Body = string>(body: unknown, version = 1, domain = world.service.domain) =>
  clientOf(world).call<Body>("POST", `/discovery/v${version}/assistant/${domain}/message`, {
    key: world.service.assistantKey,
    body,
  });

describe("what is refused", () => {
  const parts = [{ type: "text", text: "keys" }];

  test.each([
    ["no fingerprint", { ...bodyOf("keys"), fp: undefined }, "fp"],
    ["no messages", { fp: "x", messages: [] }, "messages"],
    [
      "an answer as the last",
      { fp: "x", messages: [{ id: "1", role: "assistant", parts }] },
      "last",
    ],
    ["an unknown role", { fp: "x", messages: [{ id: "1", role: "tool", parts }] }, "role"],
    ["no text", { fp: "x", messages: [{ id: "1", role: "user", parts: [] }] }, "parts"],
    ["a thread that is a number", bodyOf("keys", { threadId: 5 }), "threadId"],
    ["no pages at all", bodyOf("keys", { retrievalPageSize: 0 }), "retrievalPageSize"],
    ["a filter that is a list", bodyOf("keys", { filter: [] }), "filter"],
    [
      "context of another type",
      bodyOf("keys", { context: [{ type: "image", value: "" }] }),
      "context",
    ],
    [
      "context without a value",
      bodyOf("keys", { context: [{ type: "code" }] }),
      "context[0].value",
    ],
    ["a path that is too long", bodyOf("keys", { currentPath: "x".repeat(201) }), "currentPath"],
  ])("%s", async (_, body, field) => {
    const reply = await ask<object>(body);
    expect([reply.status, reply.body]).toEqual([400, { error: expect.stringContaining(field) }]);
  });

  test("an unknown domain", async () => {
    expect((await ask(bodyOf("keys"), 1, "nobody")).status).toBe(404);
  });
});
