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
  problems(schema: Schema, value: unknown, place = ""): string[] {
    this.#expectKnown(schema);
    return [
      ...this.#ofAnyValue(schema, value, place),
      ...(typeof value === "string" ? this.#ofText(schema, value, place) : []),
      ...(Array.isArray(value) ? this.#ofItems(schema, value, place) : []),
      ...(isRecord(value) ? this.#ofProperties(schema, value, place) : []),
    ];
  }

  /** A keyword that nothing checks would allow everything. */
  #expectKnown(schema: Schema): void {
    if (this.#read.has(schema)) return;
    const unknown = Object.keys(schema).filter((keyword) => !KEYWORDS.has(keyword));
    if (unknown.length > 0) throw new Error(`unknown keywords: ${unknown.join(", ")}`);
    this.#read.add(schema);
  }

  #ofAnyValue(
    { type, enum: allowed, $ref, anyOf, allOf = [] }: Schema,
    value: unknown,
    place: string,
  ) {
    const problems = allOf.flatMap((part) => this.problems(part, value, place));
    if (type !== undefined && ![type].flat().some((one) => isOfType(value, one))) {
      problems.push(`${place} must be ${[type].flat().join(" or ")}`);
    }
    if (allowed !== undefined && !allowed.some((one) => one === value)) {
      problems.push(`${place} must be one of ${JSON.stringify(allowed)}`);
    }
    if ($ref !== undefined) problems.push(...this.problems(this.#named($ref), value, place));
    if (anyOf !== undefined) problems.push(...this.#ofAlternatives(anyOf, value, place));
    return problems;
  }

  #ofAlternatives(alternatives: readonly Schema[], value: unknown, place: string): string[] {
    const all: string[] = [];
    for (const alternative of alternatives) {
      const problems = this.problems(alternative, value, place);
      if (problems.length === 0) return [];
      all.push(...problems);
    }
    return [...all, `${place} must match one of ${alternatives.length} schemas`];
  }

  #ofText({ format, minLength = 0, maxLength }: Schema, text: string, place: string): string[] {
    const problems: string[] = [];
    const isShort = minLength > 0 && [...text].length < minLength;
    if (isShort) problems.push(`${place} must have at least ${minLength} characters`);
    const isLong = maxLength !== undefined && [...text].length > maxLength;
    if (isLong) problems.push(`${place} must have at most ${maxLength} characters`);
    if (format === undefined) return problems;
    const check = this.#formats[format];
    if (check === undefined) throw new Error(`unknown format: ${format}`);
    if (!check(text)) problems.push(`${place} must have the format ${format}`);
    return problems;
  }

  #ofItems({ items }: Schema, values: readonly unknown[], place: string): string[] {
    if (items === undefined) return [];
    return values.flatMap((value, at) => this.problems(items, value, `${place}/${at}`));
  }

  #ofProperties(
    schema: Schema,
    record: Readonly<Record<string, unknown>>,
    place: string,
  ): string[] {
    const { properties = {}, required = [], additionalProperties = true } = schema;
    const missing = required.filter((name) => record[name] === undefined);
    const problems = missing.map((name) => `${place} must have the property ${name}`);
    for (const [name, value] of Object.entries(record)) {
      // An answer is sent as JSON, which has no such value.
      if (value === undefined) continue;
      const listed = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const own = listed ?? additionalProperties;
      if (own === false) problems.push(`${place} must not have the property ${name}`);
      else if (own !== true) problems.push(...this.problems(own, value, `${place}/${name}`));
    }
    return problems;
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

function isOfType(value: unknown, type: Type): boolean {
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
