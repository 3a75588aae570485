import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";

/** The part of an `action.yml` that the runner acts on. */
export interface ActionMetadata {
  name: string;
  description: string;
  /** Each declared input with its default; an input without one has the empty string. */
  inputs: Record<string, string>;
  outputs: string[];
  using: string;
  main: string;
  post: string | undefined;
  postIf: string | undefined;
}

/** What the expressions that are allowed in an input's default refer to. */
export interface ExpressionContext {
  github: { token: string; api_url: string; server_url: string; repository: string };
  /** The leg of the matrix; null: the job has none. */
  matrix: Record<string, unknown> | null;
}

/** What was read, by file: tests run the same few actions a thousand times. */
const known = new Map<string, { text: string; metadata: ActionMetadata }>();

/**
 * Reads `action.yml` in a folder.
 *
 * @throws when there is none, or it is not a JavaScript action.
 */
export function readActionMetadata(folder: string): ActionMetadata {
  const file = path.join(folder, "action.yml");
  const text = readFileSync(file, "utf8");
  const before = known.get(file);
  if (before?.text === text) return before.metadata;
  const metadata = parseMetadata(text, file);
  known.set(file, { text, metadata });
  return metadata;
}

function parseMetadata(text: string, file: string): ActionMetadata {
  const document = parse(text);
  const main: unknown = document?.runs?.main;
  if (typeof main !== "string") throw new Error(`${file} names no runs.main`);
  const inputs: Record<string, string> = {};
  for (const [name, input] of Object.entries<{ default?: unknown } | null>(document.inputs ?? {})) {
    inputs[name] = String(input?.default ?? "");
  }
  return {
    name: String(document.name),
    description: String(document.description),
    inputs,
    outputs: Object.keys(document.outputs ?? {}),
    using: String(document.runs.using),
    main,
    post: document.runs.post,
    postIf: document.runs["post-if"],
  };
}

/**
 * Fills in `${{ github.… }}` and `${{ toJSON(matrix) }}`.
 *
 * @throws for any other expression, so that no test runs on a default that is half resolved.
 */
export function resolveDefault(value: string, { github, matrix }: ExpressionContext): string {
  return value.replaceAll(/\$\{\{\s*(.*?)\s*\}\}/g, (_, expression: string) => {
    if (expression === "toJSON(matrix)") return JSON.stringify(matrix, null, 2);
    const key = /^github\.(\w+)$/.exec(expression)?.[1];
    if (key === undefined || !(key in github)) {
      throw new Error(`The emulated runner does not know the expression '${expression}'`);
    }
    return github[key as keyof typeof github];
  });
}
