/** Checks answers of the emulated GitHub against GitHub's own description of its REST API. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import type { SeenAnswer } from "../../emulator/github/github.ts";

/** The content of `github-api.json`, which `npm run github-api` writes. */
interface Description {
  /** Schemas by route and status. Null: the answer has no body. */
  operations: Record<string, Record<string, object | null>>;
  schemas: Record<string, object>;
}

/** The schema of errors whose status is not in the description. */
const ERROR = {
  type: "object",
  required: ["message"],
  properties: { message: { type: "string" }, documentation_url: { type: "string" } },
};

/** GitHub's times have whole seconds. The ranges of numbers are not checked. */
const FORMATS = {
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  uri: { validate: (text: string) => URL.canParse(text) },
  email: true,
  int64: true,
} as const;

const checks = new Map<string, ValidateFunction | null>();
let loaded: { ajv: Ajv; operations: Description["operations"] } | undefined;

function load() {
  const file = join(import.meta.dirname, "github-api.json");
  const { operations, schemas } = JSON.parse(readFileSync(file, "utf8")) as Description;
  // Most checks run only a few times, so compiling them has to be fast.
  const ajv = new Ajv({
    strict: false,
    formats: FORMATS,
    validateSchema: false,
    inlineRefs: false,
    code: { optimize: false },
  });
  ajv.addSchema({ $id: "github", schemas });
  return { ajv, operations };
}

/** The check of a route's answers with a status. Null: the answer must not have a body. */
function checkOf(route: string, status: number): ValidateFunction | null {
  loaded ??= load();
  const operation = loaded.operations[route];
  if (status < 300 && operation === undefined) {
    throw new Error(`github-api.json has no ${route}: run npm run github-api`);
  }
  const described = operation?.[status];
  if (status < 300 && described === undefined) return loaded.ajv.compile(false);
  return described === null && status < 300 ? null : loaded.ajv.compile(described ?? ERROR);
}

/** The problem of an answer, or an empty string. */
export function problemWith({ route, request, status, body }: SeenAnswer): string {
  // Raw files have no schema, and GraphQL has its own.
  if (Buffer.isBuffer(body) || route === "POST /graphql") return "";
  const key = `${status} ${route}`;
  let check = checks.get(key);
  if (check === undefined) {
    check = checkOf(route, status);
    checks.set(key, check);
  }
  if (check === null) return body === undefined ? "" : `${status} to ${request} has a body`;
  if (check(body)) return "";
  const errors = check.errors?.map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
  return `${status} to ${request} does not match GitHub's description:\n  ${errors?.join("\n  ")}`;
}
