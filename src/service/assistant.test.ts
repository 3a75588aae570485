import { expect, test } from "vitest";
import { Assistant, type AssistantVersion, type Question } from "./assistant.ts";
import type { Transport } from "./transport.ts";

const QUESTION: Question = {
  fingerprint: "anonymous",
  messages: [{ id: "1", role: "user", text: "How do I rotate a key?" }],
  threadId: null,
  retrievalPageSize: 5,
  filter: null,
  context: [],
  currentPath: null,
};

/** The path and the body of the request that a question becomes. */
async function requestOf(question: Partial<Question>, version: AssistantVersion) {
  let request = { path: "", body: {} };
  const transport: Pick<Transport, "stream"> = {
    stream: async (path, body) => {
      request = { path: path.join("/"), body: body as object };
      return { headers: {}, body: (async function* () {})() };
    },
  };
  const assistant = new Assistant(transport as Transport, "acme", version);
  await assistant.ask({ ...QUESTION, ...question });
  return request;
}

test.each(["v1", "v2"] as const)("%s takes the page, and where context comes from", async (it) => {
  const context = [{ type: "code" as const, value: "const a = 1;", path: "src/a.ts" }];
  expect(await requestOf({ currentPath: "/keys", context }, it)).toMatchObject({
    path: `discovery/${it}/assistant/acme/message`,
    body: { currentPath: "/keys", context },
  });
});

test.each(["v1", "v2"] as const)("%s is told nothing of what was not given", async (version) => {
  const { body } = await requestOf({}, version);
  expect(Object.keys(body)).toEqual(["fp", "messages", "retrievalPageSize"]);
});

test("messages have a content in version 1 only", async () => {
  const { text, ...message } = { id: "1", role: "user", text: "How do I rotate a key?" };
  const parts = [{ type: "text", text }];
  expect(await requestOf({}, "v1")).toHaveProperty("body.messages", [
    { ...message, content: text, parts },
  ]);
  expect(await requestOf({}, "v2")).toHaveProperty("body.messages", [{ ...message, parts }]);
});
