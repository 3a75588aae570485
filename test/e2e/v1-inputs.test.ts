import { expect, test } from "vitest";
import { someOf } from "../support/sample.ts";
import { CREATE_V1, startScenarioV1 } from "../support/scenario-v1.ts";

/** Nothing was sent anywhere, and one error says which input is wrong. */
async function expectRefused(inputs: Record<string, string>, ...words: (string | RegExp)[]) {
  await using scenario = await startScenarioV1();
  const result = await scenario.run({ inputs });
  expect(scenario.asked()).toEqual([]);
  expect(scenario.github.server.requests).toEqual([]);
  expect(result.exitCode).toBe(1);
  expect(result.errors).toHaveLength(1);
  for (const word of words) expect(result.errors[0]).toMatch(word);
  expect(result.outputs.errorKind).toBe("invalid-input");
}

test("an api-version that does not exist names those that do", async () => {
  await expectRefused({ "api-version": "v3" }, "api-version", "v3", "v1", "v2");
});

test.each(someOf(["v2", ""]))(
  "with version %j, inputs of version 1 are refused",
  async (version) => {
    const inputs = { branch: "docs/x", "as-draft": "true", model: "opus", messages: "[]" };
    await expectRefused({ "api-version": version, ...inputs }, ...Object.keys(inputs), "v1");
  },
);

test("a follow-up with version 1 names version 2", async () => {
  await expectRefused({ "job-id": "session_1" }, "job-id", "v2", /message/);
});

/** Values that are refused, and what the error says of each. */
const REFUSED: Record<string, [value: string, says: string][]> = {
  "as-draft": [["yes", "true or false"]],
  model: [["haiku", "sonnet or opus"]],
  branch: ["a b", "a..b", "-x", "x.lock", "x\ny"].map((value) => [value, "Git branch"]),
  messages: [
    ["hello", "hello"],
    ['{"role":"user","content":"x"}', "array"],
    ['[{"role":"user","content":"x"}, "y"]', "item 2"],
    ['[{"role":"tool","content":"x"}]', "item 1"],
    ['[{"content":"x"}]', "item 1"],
    ['[{"role":"user"}]', "item 1"],
    ['[{"role":"user","content":" "}]', "item 1"],
    ['[{"role":"user","content":[]}]', "item 1"],
  ],
};

// All wrong inputs are reported in one go, so that one run tries a value of each.
test.each(someOf([0, 1, 2, 3, 4, 5, 6, 7]))(
  "wrong values of version 1's inputs: each is told (%i)",
  async (nth) => {
    const wrong = Object.entries(REFUSED).flatMap(([name, values]) =>
      values.slice(nth, nth + 1).map(([value, says]) => ({ name, value, says })),
    );
    const inputs = Object.fromEntries(wrong.map(({ name, value }) => [name, value]));
    await expectRefused(inputs, ...wrong.map(({ name, says }) => new RegExp(`${name}: .*${says}`)));
  },
);

test("every wrong input of version 1 is reported in one go", async () => {
  const inputs = { branch: "a b", "as-draft": "yes", model: "haiku", messages: "{", wait: "maybe" };
  await expectRefused(inputs, ...Object.keys(inputs));
});

test("of a message only role and content are sent; an empty list sends none", async () => {
  await using scenario = await startScenarioV1();
  await scenario.run({ inputs: { messages: '[{"role":"system","content":" x ","id":1}]' } });
  await scenario.run({ inputs: { messages: " [] ", prompt: "P" } });
  const [first, second] = scenario.service
    .requestsTo(CREATE_V1)
    .map(({ body }) => JSON.parse(body.toString()).messages);
  expect(first[0]).toEqual({ role: "system", content: " x " });
  expect(first).toHaveLength(2);
  expect(second).toEqual([{ role: "user", content: "P" }]);
});
