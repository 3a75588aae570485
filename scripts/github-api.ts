// Writes test/support/github-api.json: GitHub's own description of the answers of those routes of its REST API that
// are emulated. Run it after adding a route, or for a newer description:
//
//   npm run github-api
//
// The package with the description has 385 MB. It is downloaded only here, and is no dependency.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { ROUTES } from "../emulator/github/router.ts";

const PACKAGE = "@octokit/openapi@23.0.2";
const FILE = resolve(import.meta.dirname, "../test/support/github-api.json");

type Json = Record<string, unknown>;

/** Keywords that are for people only. */
const WORDS = new Set([
  "description",
  "example",
  "examples",
  "title",
  "externalDocs",
  "deprecated",
  "readOnly",
  "default",
  "discriminator",
  "minimum",
  "maximum",
]);

/** Mistakes of the description: the schema, the path in it, and what is true. */
const CORRECTIONS: (readonly [schema: string, path: string, correction: Json])[] = [
  // A label without a description has null in a list of pull requests, as everywhere else.
  [
    "pull-request-simple",
    "properties.labels.items.properties.description",
    { type: ["string", "null"] },
  ],
  // A status of a deployment has empty addresses if it was given none.
  ...["target_url", "log_url", "environment_url"].map(
    (name) => ["deployment-status", `properties.${name}`, { format: undefined }] as const,
  ),
  // A rule of a branch says what it requires, and which ruleset it is of.
  ...[
    "ruleset-info",
    "pull-request",
    "required-status-checks",
    "required-signatures",
    "required-deployments",
    "merge-queue",
  ].map((part) => [`repository-rule-${part}`, "", { additionalProperties: true }] as const),
  // Errors have their status, and that of a file that is too large a list, as those of validation do.
  ...["basic-error", "validation-error", "validation-error-simple"].map(
    (schema) => [schema, "", { additionalProperties: true }] as const,
  ),
];

/** A description as JSON Schema. @param isOpen whether other fields than those it names are allowed */
function schemaOf(description: unknown, needed: Set<string>, isOpen = false): unknown {
  if (Array.isArray(description)) return description.map((item) => schemaOf(item, needed, isOpen));
  if (typeof description !== "object" || description === null) return description;
  const { nullable, properties, allOf, oneOf, $ref, ...rest } = description as Json;
  if (typeof $ref === "string") {
    const name = $ref.split("/").at(-1) ?? "";
    needed.add(name);
    return { $ref: `github#/schemas/${name}` };
  }
  const kept = Object.entries(rest).filter(([key]) => !WORDS.has(key) && !key.startsWith("x-"));
  const schema: Json = Object.fromEntries(
    kept.map(([key, value]) => [key, schemaOf(value, needed, isOpen)]),
  );
  // A value may match several of them.
  if (oneOf !== undefined) schema.anyOf = schemaOf(oneOf, needed, isOpen);
  if (allOf !== undefined) schema.allOf = schemaOf(allOf, needed, true);
  if (properties !== undefined) {
    schema.properties = Object.fromEntries(
      Object.entries(properties as Json).map(([name, value]) => [name, schemaOf(value, needed)]),
    );
    const isClosed = !isOpen && Object.keys(properties as Json).length > 0;
    if (isClosed) schema.additionalProperties ??= false;
  }
  return nullable === true ? { anyOf: [schema, { type: "null" }] } : schema;
}

function read(): { paths: Record<string, Json>; components: Record<string, Json> } {
  const folder = mkdtempSync(join(tmpdir(), "github-api-"));
  try {
    const pack = ["pack", PACKAGE, "--silent", "--pack-destination", folder];
    const archive = execFileSync("npm", pack, { encoding: "utf8" }).trim();
    const entry = "package/generated/api.github.com.json";
    execFileSync("tar", ["-xzf", join(folder, archive), "-C", folder, entry]);
    return JSON.parse(readFileSync(join(folder, entry), "utf8"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A schema with a correction of what is at a path in it. */
function corrected(schema: Json, [step, ...rest]: string[], correction: Json): Json {
  if (step === undefined) return { ...schema, ...correction };
  return { ...schema, [step]: corrected(schema[step] as Json, rest, correction) };
}

const { paths, components } = read();
const needed = new Set<string>();
const operations: Record<string, Json> = {};
for (const route of Object.keys(ROUTES)) {
  const [method = "", path = ""] = route.split(" ");
  const operation = paths[path]?.[method.toLowerCase()] as { responses: Json } | undefined;
  if (operation === undefined) {
    console.log(`GitHub describes no ${route}`);
    continue;
  }
  const answers = Object.entries(operation.responses).map(([status, response]) => {
    const name = (response as { $ref?: string }).$ref?.split("/").at(-1);
    const whole = name === undefined ? response : components.responses?.[name];
    const { content = {} } = whole as { content?: Record<string, { schema: unknown }> };
    const schema = content["application/json"]?.schema;
    return [status, schema === undefined ? null : schemaOf(schema, needed, Number(status) >= 400)];
  });
  operations[route] = Object.fromEntries(answers);
}
const schemas: Json = {};
for (const name of needed) schemas[name] = schemaOf(components.schemas?.[name], needed);
for (const [name, path, correction] of CORRECTIONS) {
  const steps = path.split(".").filter((step) => step !== "");
  schemas[name] = corrected(schemas[name] as Json, steps, correction);
}
const entries = (of: Json) =>
  Object.keys(of)
    .sort()
    .map((name) => `    ${JSON.stringify(name)}: ${JSON.stringify(of[name])}`);
const text = `{
  "source": "${PACKAGE}",
  "operations": {\n${entries(operations).join(",\n")}\n  },
  "schemas": {\n${entries(schemas).join(",\n")}\n  }
}\n`;
writeFileSync(FILE, text);
console.log(`${Object.keys(operations).length} operations, ${needed.size} schemas: ${FILE}`);
