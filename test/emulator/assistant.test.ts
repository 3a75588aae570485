import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LocalWorld, startLocalWorld } from "../../emulator/local-world/index.ts";
import { clientOf } from "./client.ts";

let world: LocalWorld;

beforeAll(async () => {
  world = await startLocalWorld({ service: { assistant: { pauseMs: 0 } } });
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

/** The parts of a data stream by their code. */
function partsOf(stream: string): { code: string; value: unknown }[] {
  return stream
    .split("\n")
    .filter(Boolean)
    .map((line) => ({ code: line.slice(0, 1), value: JSON.parse(line.slice(2)) }));
}

describe("version 1", () => {
  test("builds the answer from as many pages as it is asked to, that match the filter", async () => {
    await using other = await startLocalWorld({
      service: {
        assistant: { pauseMs: 0 },
        pages: ["1", "2", "3"].map((version) => ({
          title: `Keys ${version}`,
          url: `https://docs.acme.example/${version}`,
          text: "All about keys.",
          version,
        })),
      },
    });
    const sources = async (rest: object) => {
      const { body } = await clientOf(other).call<string>(
        "POST",
        "/discovery/v1/assistant/acme/message",
        { key: other.service.assistantKey, body: bodyOf("keys", rest) },
      );
      return partsOf(body).filter(({ code }) => code === "h").length;
    };
    expect(await sources({})).toBe(3);
    expect(await sources({ retrievalPageSize: 2 })).toBe(2);
    expect(await sources({ filter: { version: "2" } })).toBe(1);
    expect(await sources({ filter: null })).toBe(3);
  });
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
    ["groups that are text", bodyOf("keys", { filter: { groups: "a" } }), "filter.groups"],
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
