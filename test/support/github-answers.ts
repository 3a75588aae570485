/** Checks answers of the emulated GitHub against GitHub's own description of its REST API. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SeenAnswer } from "../../emulator/github/github.ts";
import { type Schema, SchemaCheck } from "./json-schema.ts";

/** The content of `github-api.json`, which `npm run github-api` writes. */
interface Description {
  /** Schemas by route and status. Null: the answer has no body. */
  operations: Record<string, Record<string, Schema | null>>;
  schemas: Record<string, Schema>;
}

/** The schema of errors whose status is not in the description. */
const ERROR: Schema = {
  type: "object",
  required: ["message"],
  properties: { message: { type: "string" }, documentation_url: { type: "string" } },
};

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** GitHub's times have whole seconds. The ranges of numbers are not checked. */
const FORMATS = {
  "date-time": (text: string) => TIME.test(text),
  uri: (text: string) => URL.canParse(text),
  email: () => true,
  int64: () => true,
};

let loaded: { check: SchemaCheck; operations: Description["operations"] } | undefined;

function load() {
  const file = join(import.meta.dirname, "github-api.json");
  const { operations, schemas } = JSON.parse(readFileSync(file, "utf8")) as Description;
  const named = Object.entries(schemas).map(([name, schema]) => [
    `github#/schemas/${name}`,
    schema,
  ]);
  return { check: new SchemaCheck(Object.fromEntries(named), FORMATS), operations };
}

/** The problem of an answer, or an empty string. */
export function problemWith({ route, request, status, body }: SeenAnswer): string {
  // Raw files have no schema, and GraphQL has its own.
  if (Buffer.isBuffer(body) || route === "POST /graphql") return "";
  loaded ??= load();
  const { check, operations } = loaded;
  const operation = operations[route];
  if (status < 300 && operation === undefined) {
    throw new Error(`github-api.json has no ${route}: run npm run github-api`);
  }
  const described = operation?.[status];
  if (status < 300 && described === undefined) return `${status} to ${request} is not described`;
  if (status < 300 && described === null) {
    return body === undefined ? "" : `${status} to ${request} has a body`;
  }
  const problems = check.problems(described ?? ERROR, body);
  if (problems.length === 0) return "";
  return `${status} to ${request} does not match GitHub's description:\n  ${problems.join("\n  ")}`;
}
