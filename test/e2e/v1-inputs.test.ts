import { expect, test } from "vitest";
import { CREATE_V1, setSceneV1 } from "../support/scene-v1.ts";

/** Nothing was sent anywhere, and one error says which input is wrong. */
async function expectRefused(inputs: Record<string, string>, ...words: (string | RegExp)[]) {
  await using scene = await setSceneV1();
  const result = await scene.run({ inputs });
  expect(scene.asked()).toEqual([]);
  expect(scene.github.server.requests).toEqual([]);
  expect(result.exitCode).toBe(1);
  expect(result.errors).toHaveLength(1);
  for (const word of words) expect(result.errors[0]).toMatch(word);
  expect(result.outputs.errorKind).toBe("invalid-input");
}

test("an api-version that does not exist names those that do", async () => {
  await expectRefused({ "api-version": "v3" }, "api-version", "v3", "v1", "v2");
});

test.each([
  ["branch", "docs/x"],
  ["as-draft", "true"],
  ["model", "opus"],
  ["messages", "[]"],
])("%s with version 2 names version 1", async (name, value) => {
  await expectRefused({ "api-version": "v2", [name]: value }, name, "v1");
  await expectRefused({ "api-version": "", [name]: value }, name, "v1");
});

test("a follow-up with version 1 names version 2", async () => {
  await expectRefused({ "job-id": "session_1" }, "job-id", "v2", /message/);
});

test.each([
  ["as-draft", "yes", "true or false"],
  ["model", "haiku", "sonnet or opus"],
  ["branch", "a b", "Git branch"],
  ["branch", "a..b", "Git branch"],
  ["branch", "-x", "Git branch"],
  ["branch", "x.lock", "Git branch"],
  ["branch", "x\ny", "Git branch"],
])("%s: %j is not allowed", async (name, value, allowed) => {
  await expectRefused({ [name]: value }, name, allowed);
});

test.each([
  ["no JSON", "hello", "hello"],
  ["an object", '{"role":"user","content":"x"}', "array"],
  ["an item of another type", '[{"role":"user","content":"x"}, "y"]', "item 2"],
  ["another role", '[{"role":"tool","content":"x"}]', "item 1"],
  ["no role", '[{"content":"x"}]', "item 1"],
  ["no content", '[{"role":"user"}]', "item 1"],
  ["empty content", '[{"role":"user","content":" "}]', "item 1"],
  ["content that is no text", '[{"role":"user","content":[]}]', "item 1"],
])("messages that are %s", async (_, messages, word) => {
  await expectRefused({ messages }, "messages", word, "system, user, assistant");
});

test("every wrong input of version 1 is reported in one go", async () => {
  const inputs = { branch: "a b", "as-draft": "yes", model: "haiku", messages: "{", wait: "maybe" };
  await expectRefused(inputs, ...Object.keys(inputs));
});

test("of a message only role and content are sent; an empty list sends none", async () => {
  await using scene = await setSceneV1();
  await scene.run({ inputs: { messages: '[{"role":"system","content":" x ","id":1}]' } });
  await scene.run({ inputs: { messages: " [] ", prompt: "P" } });
  const [first, second] = scene.service
    .requestsTo(CREATE_V1)
    .map(({ body }) => JSON.parse(body.toString()).messages);
  expect(first[0]).toEqual({ role: "system", content: " x " });
  expect(first).toHaveLength(2);
  expect(second).toEqual([{ role: "user", content: "P" }]);
});
