import { describe, expect, test } from "vitest";
import { type Schema, SchemaCheck } from "./json-schema.ts";

const USER: Schema = {
  type: "object",
  required: ["login"],
  properties: { login: { type: "string" }, site: { anyOf: [{ type: "null" }, { format: "uri" }] } },
  additionalProperties: false,
};
const check = new SchemaCheck({ user: USER }, { uri: (text) => URL.canParse(text) });

describe.each<[string, Schema, unknown[], unknown[]]>([
  ["a text", { type: "string" }, ["", "a"], [null, 1, {}, []]],
  ["a whole number", { type: "integer" }, [0, -1, 1], [1.5, "1", null]],
  ["a number", { type: "number" }, [1.5, 0], ["1", null]],
  ["a boolean", { type: "boolean" }, [true, false], [0, "true", null]],
  ["an object", { type: "object" }, [{}, { a: 1 }], [null, [], "a"]],
  ["an array", { type: "array" }, [[], [1]], [{}, null, "a"]],
  ["one of two types", { type: ["string", "null"] }, ["a", null], [1, {}]],
  ["a word", { enum: ["a", null] }, ["a", null], ["b", undefined, ["a"]]],
  ["a text of a format", { format: "uri" }, ["https://a.test", 1], ["a"]],
  ["a text of a length", { minLength: 2, maxLength: 3 }, ["ab", "😀😀😀", 1], ["a", "abcd", "😀"]],
  ["a list", { items: { type: "integer" } }, [[], [1, 2], "a"], [[1, "2"]]],
  [
    "a record",
    USER,
    [{ login: "a" }, { login: "a", site: null }, { login: "a", more: undefined }],
    [{}, { login: undefined }, { login: 1 }, { login: "a", site: "x" }, { login: "a", more: 1 }],
  ],
  [
    "a record of texts",
    { additionalProperties: { type: "string" } },
    [{}, { a: "a" }],
    [{ a: 1 }, { toString: 1 }],
  ],
  ["either of two", { anyOf: [{ type: "null" }, { enum: [1] }] }, [null, 1], [2, "a"]],
  ["both of two", { allOf: [{ minLength: 2 }, { maxLength: 2 }] }, ["ab"], ["a", "abc"]],
  ["another schema", { items: { $ref: "user" } }, [[{ login: "a" }]], [[{ login: 1 }]]],
])("%s", (_, schema, allowed, refused) => {
  // A row that is an array would be taken for several arguments.
  const rows = (values: unknown[]) => values.map((value) => [value]);
  test.each(rows(allowed))("may be %j", (value) => {
    expect(check.problems(schema, value)).toEqual([]);
  });
  test.each(rows(refused))("is not %j", (value) => {
    expect(check.problems(schema, value)).not.toEqual([]);
  });
});

test("a problem says where it is", () => {
  const list = [{ login: "a" }, { login: 1 }];
  const schema = { properties: { users: { items: { $ref: "user" } } } };
  expect(check.problems(schema, { users: list })).toEqual(["/users/1/login must be string"]);
});

test.each<[Schema, string]>([
  [{ pattern: "a" } as Schema, "unknown keywords: pattern"],
  [{ format: "date" }, "unknown format: date"],
  [{ $ref: "team" }, "no schema has the name team"],
])("what it cannot check is an error: %j", (schema, words) => {
  expect(() => check.problems(schema, "a")).toThrow(words);
});
