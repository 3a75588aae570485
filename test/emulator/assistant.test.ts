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

/** The events of a UI message stream. */
function eventsOf(stream: string): Record<string, unknown>[] {
  const events = stream.split("\n\n").filter(Boolean);
  expect(events.at(-1)).toBe("data: [DONE]");
  return events.slice(0, -1).map((event) => JSON.parse(event.slice("data: ".length)));
}

function textIn(stream: string): string {
  return partsOf(stream)
    .filter(({ code }) => code === "0")
    .map(({ value }) => value)
    .join("");
}

function threadIn(stream: string): string {
  const finish = partsOf(stream).find(({ code }) => code === "d");
  return String((finish?.value as { threadId?: string } | undefined)?.threadId);
}

describe("version 1", () => {
  test("streams text, sources and a finish with the thread's id", async () => {
    const { status, headers, body } = await ask(bodyOf("How do I rotate a key?"));
    expect(status).toBe(200);
    expect(headers.get("x-vercel-ai-data-stream")).toBe("v1");
    const codes = new Set(partsOf(body).map(({ code }) => code));
    expect([...codes]).toEqual(["f", "g", "h", "0", "e", "d"]);
    expect(textIn(body)).toContain("create a second key");
    expect(partsOf(body).find(({ code }) => code === "h")?.value).toEqual({
      sourceType: "url",
      id: "source-1",
      url: "https://docs.acme.example/keys/rotate",
      title: "Rotate a key",
    });
    expect(threadIn(body)).toMatch(/^[\w-]+$/);
  });

  test("goes on with a thread that it knows", async () => {
    const threadId = threadIn((await ask(bodyOf("How do I rotate a key?"))).body);
    const { body } = await ask(bodyOf("And webhooks?", { threadId }));
    expect(threadIn(body)).toBe(threadId);
    expect(textIn(body)).toContain("You asked before: “How do I rotate a key?”");
  });

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

  test.each([
    ["data", "2"],
    ["annotation", "8"],
  ])("thread=%s tells the thread in a %s part", async (where, code) => {
    const { body } = await ask(bodyOf(`keys\nemulate: thread=${where}`));
    expect(partsOf(body).find((part) => part.code === code)?.value).toEqual([
      { type: "finish", threadId: expect.any(String) },
    ]);
    expect(threadIn(body)).toBe("undefined");
  });

  test("ends in an error part when steered to", async () => {
    const { body } = await ask(bodyOf("keys\nemulate: outcome=error"));
    expect(partsOf(body).at(-1)).toEqual({ code: "3", value: expect.any(String) });
    expect(textIn(body)).not.toBe("");
  });

  test("breaks off when steered to", async () => {
    const broken = ask(bodyOf("keys\nemulate: stream=break"));
    await expect(broken).rejects.toThrow();
  });

  test("is the same text however it is cut", async () => {
    const question = "How do I rotate a key?";
    const threadId = threadIn((await ask(bodyOf("“Keys” – étude"))).body);
    const whole = await ask(bodyOf(question, { threadId }));
    const cut = await ask(bodyOf(`${question}\nemulate: split=1`));
    expect(textIn(whole.body)).toContain(textIn(cut.body));
  });
});

describe("version 2", () => {
  const question = (text: string) => ({
    fp: "anonymous",
    currentPath: "/keys",
    messages: [{ id: "1", role: "user", parts: [{ type: "text", text }] }],
  });

  test("streams events, with the thread's id in finish", async () => {
    const { headers, body } = await ask(question("How do I rotate a key?"), 2);
    expect(headers.get("content-type")).toBe("text/event-stream");
    expect(headers.get("x-vercel-ai-ui-message-stream")).toBe("v1");
    const events = eventsOf(body);
    expect(events[0]).toMatchObject({ type: "start" });
    expect(events.at(-1)).toEqual({ type: "finish", threadId: expect.any(String) });
    expect(events.find(({ type }) => type === "source-url")).toMatchObject({
      sourceId: "source-1",
      title: "Rotate a key",
    });
    const deltas = events.filter(({ type }) => type === "text-delta");
    expect(deltas.map(({ delta }) => delta).join("")).toContain("create a second key");
  });

  test.each([
    ["metadata", { type: "finish", messageMetadata: { threadId: expect.any(String) } }],
    ["annotation", { type: "message-metadata", messageMetadata: { threadId: expect.any(String) } }],
    ["data", { type: "data-thread", data: { type: "finish", threadId: expect.any(String) } }],
  ])("thread=%s tells the thread elsewhere", async (where, expected) => {
    const { body } = await ask(question(`keys\nemulate: thread=${where}`), 2);
    expect(eventsOf(body)).toContainEqual(expected);
  });

  test("ends in an error event when steered to", async () => {
    const { body } = await ask(question("keys\nemulate: outcome=error"), 2);
    expect(eventsOf(body).at(-1)).toEqual({ type: "error", errorText: expect.any(String) });
  });
});

describe("a whole message as JSON", () => {
  test.each([
    ["finish", { threadId: expect.any(String) }],
    ["metadata", { metadata: { threadId: expect.any(String) } }],
    ["annotation", { annotations: [{ type: "finish", threadId: expect.any(String) }] }],
  ])("thread=%s", async (where, expected) => {
    const reply = await ask<object>(bodyOf(`webhooks\nemulate: form=json thread=${where}`));
    expect(reply.headers.get("content-type")).toContain("application/json");
    expect(reply.body).toMatchObject({
      ...expected,
      role: "assistant",
      content: expect.stringContaining("signature"),
      parts: [{ type: "text" }, { type: "source" }],
    });
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

  test("more questions than the organization may ask", async () => {
    await using other = await startLocalWorld({ service: { assistantLimit: { uses: 0 } } });
    const reply = await clientOf(other).call("POST", "/discovery/v2/assistant/acme/message", {
      key: other.service.assistantKey,
      body: bodyOf("keys"),
    });
    expect(reply.status).toBe(429);
  });
});
