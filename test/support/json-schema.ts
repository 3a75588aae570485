/**
 * Checks values against the part of JSON Schema that GitHub's description of its REST API uses. A library would compile
 * each schema: that takes a hundred times as long as the few checks that a process needs.
 */

type Type = "array" | "boolean" | "integer" | "null" | "number" | "object" | "string";

/** Which values a schema allows. Keywords that do not apply to a value's type allow it. */
export interface Schema {
  type?: Type | readonly Type[];
  enum?: readonly unknown[];
  format?: string;
  minLength?: number;
  maxLength?: number;
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  /** The schema of the properties that are not listed. False: there are none. */
  additionalProperties?: boolean | Schema;
  anyOf?: readonly Schema[];
  allOf?: readonly Schema[];
  /** The name of another schema, after a prefix. */
  $ref?: string;
}

const KEYWORDS = new Set([
  "type",
  "enum",
  "format",
  "minLength",
  "maxLength",
  "items",
  "properties",
  "required",
  "additionalProperties",
  "anyOf",
  "allOf",
  "$ref",
]);

export class SchemaCheck {
  /** Schemas by the whole text of a `$ref`. */
  readonly #schemas: Readonly<Record<string, Schema>>;
  /** Checks of the formats of texts. */
  readonly #formats: Readonly<Record<string, (text: string) => boolean>>;
  /** Schemas whose keywords are known to be all supported. */
  readonly #read = new WeakSet<Schema>();

  constructor(
    schemas: Readonly<Record<string, Schema>>,
    formats: Readonly<Record<string, (text: string) => boolean>>,
  ) {
    this.#schemas = schemas;
    this.#formats = formats;
  }

  /** The problems of a value, each with the place in it; none if the schema allows it. */
  problems(schema: Schema, value: unknown): string[] {
    const problems: string[] = [];
    this.#check(schema, value, problems);
    return problems;
  }

  /** Adds the problems of a value to a list. */
  #check(schema: Schema, value: unknown, problems: string[]): void {
    this.#expectKnown(schema);
    const { type, $ref, anyOf, allOf = [] } = schema;
    if (type !== undefined && !isOfType(value, type)) {
      problems.push(` must be ${[type].flat().join(" or ")}`);
    }
    if (schema.enum?.includes(value) === false) {
      problems.push(` must be one of ${JSON.stringify(schema.enum)}`);
    }
    if ($ref !== undefined) this.#check(this.#named($ref), value, problems);
    for (const part of allOf) this.#check(part, value, problems);
    if (anyOf !== undefined) this.#checkAlternatives(anyOf, value, problems);
    if (typeof value === "string") this.#checkText(schema, value, problems);
    if (Array.isArray(value)) this.#checkItems(schema, value, problems);
    else if (isRecord(value)) this.#checkProperties(schema, value, problems);
  }

  /** A keyword that nothing checks would allow everything. */
  #expectKnown(schema: Schema): void {
    if (this.#read.has(schema)) return;
    const unknown = Object.keys(schema).filter((keyword) => !KEYWORDS.has(keyword));
    if (unknown.length > 0) throw new Error(`unknown keywords: ${unknown.join(", ")}`);
    this.#read.add(schema);
  }

  #checkAlternatives(alternatives: readonly Schema[], value: unknown, problems: string[]): void {
    const all: string[] = [];
    for (const alternative of alternatives) {
      const before = all.length;
      this.#check(alternative, value, all);
      if (all.length === before) return;
    }
    problems.push(...all, ` must match one of ${alternatives.length} schemas`);
  }

  #checkText({ format, minLength, maxLength }: Schema, text: string, problems: string[]): void {
    const isShort = minLength !== undefined && [...text].length < minLength;
    if (isShort) problems.push(` must have at least ${minLength} characters`);
    const isLong = maxLength !== undefined && [...text].length > maxLength;
    if (isLong) problems.push(` must have at most ${maxLength} characters`);
    if (format === undefined) return;
    const check = this.#formats[format];
    if (check === undefined) throw new Error(`unknown format: ${format}`);
    if (!check(text)) problems.push(` must have the format ${format}`);
  }

  #checkItems({ items }: Schema, values: readonly unknown[], problems: string[]): void {
    if (items === undefined) return;
    for (const [at, value] of values.entries()) this.#checkInside(at, items, value, problems);
  }

  #checkProperties(
    { properties = {}, required = [], additionalProperties = true }: Schema,
    record: Readonly<Record<string, unknown>>,
    problems: string[],
  ): void {
    for (const name of required) {
      if (record[name] === undefined) problems.push(` must have the property ${name}`);
    }
    for (const name of Object.keys(record)) {
      // An answer is sent as JSON, which has no undefined value.
      if (record[name] === undefined) continue;
      const listed = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const own = listed ?? additionalProperties;
      if (own === false) problems.push(` must not have the property ${name}`);
      else if (own !== true) this.#checkInside(name, own, record[name], problems);
    }
  }

  /** Adds the problems of a part of a value, with its name or position. */
  #checkInside(step: string | number, schema: Schema, value: unknown, problems: string[]): void {
    const before = problems.length;
    this.#check(schema, value, problems);
    if (problems.length === before) return;
    for (const problem of problems.splice(before)) problems.push(`/${step}${problem}`);
  }

  #named(ref: string): Schema {
    const schema = this.#schemas[ref];
    if (schema === undefined) throw new Error(`no schema has the name ${ref}`);
    return schema;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isOfType(value: unknown, type: Type | readonly Type[]): boolean {
  if (typeof type !== "string") return type.some((one) => isOfType(value, one));
  switch (type) {
    case "array":
      return Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    case "null":
      return value === null;
    case "number":
      return Number.isFinite(value);
    case "object":
      return isRecord(value);
    default:
      return typeof value === type;
  }
}
