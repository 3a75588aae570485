/** Checks answers of the emulated GitHub against GitHub's own description of its REST API. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import type { SeenAnswer } from "../../emulator/github/github.ts";

/** What `npm run github-api` writes. */
interface Description {
  /** Schemas by routes and statuses; null: there is no body. */
  operations: Record<string, Record<string, object | null>>;
  schemas: Record<string, object>;
}

/** What GitHub says where its description has nothing for a status of an error. */
const ERROR = {
  type: "object",
  required: ["message"],
  properties: { message: { type: "string" }, documentation_url: { type: "string" } },
};

/** GitHub's times have whole seconds. Numbers have no range that is checked. */
const FORMATS = {
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  uri: { validate: (text: string) => URL.canParse(text) },
  ...({ email: true, int64: true } as const),
};

const checks = new Map<string, ValidateFunction | null>();
let loaded: { ajv: Ajv; operations: Description["operations"] } | undefined;

function load() {
  const file = join(import.meta.dirname, "github-api.json");
  const { operations, schemas } = JSON.parse(readFileSync(file, "utf8")) as Description;
  // Most checks run a few times: the time goes into making them.
  const quick = { validateSchema: false, inlineRefs: false, code: { optimize: false } };
  const ajv = new Ajv({ strict: false, formats: FORMATS, ...quick });
  ajv.addSchema({ $id: "github", schemas });
  return { ajv, operations };
}

/** Null: an answer without a body. */
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

/** What is wrong with an answer; empty: nothing. */
export function problemWith({ route, request, status, body }: SeenAnswer): string {
  // Files as they are, and GraphQL, which has a schema of its own.
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
  return `${status} to ${request} is no answer of GitHub's:\n  ${errors?.join("\n  ")}`;
}
