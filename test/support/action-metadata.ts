import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";

/** The part of an `action.yml` that the runner acts on. */
export interface ActionMetadata {
  name: string;
  /** Each declared input with its default; an input without one has the empty string. */
  inputs: Record<string, string>;
  outputs: string[];
  using: string;
  main: string;
  post: string | undefined;
  postIf: string | undefined;
}

/** What the expressions that are allowed in an input's default stand for. */
export interface GithubContext {
  token: string;
  api_url: string;
  server_url: string;
  repository: string;
}

/**
 * Reads `action.yml` in a folder.
 *
 * @throws when there is none, or it is not a JavaScript action.
 */
export function readActionMetadata(folder: string): ActionMetadata {
  const file = path.join(folder, "action.yml");
  const document = parse(readFileSync(file, "utf8"));
  const main: unknown = document?.runs?.main;
  if (typeof main !== "string") throw new Error(`${file} names no runs.main`);
  const inputs: Record<string, string> = {};
  for (const [name, input] of Object.entries<{ default?: unknown } | null>(document.inputs ?? {})) {
    inputs[name] = String(input?.default ?? "");
  }
  return {
    name: String(document.name),
    inputs,
    outputs: Object.keys(document.outputs ?? {}),
    using: String(document.runs.using),
    main,
    post: document.runs.post,
    postIf: document.runs["post-if"],
  };
}

/** Fills in `${{ github.… }}`; anything else is an error, so that no test runs on a half-resolved default. */
export function resolveDefault(value: string, github: GithubContext, matrix: unknown): string {
  return value.replaceAll(/\$\{\{\s*(.*?)\s*\}\}/g, (_, expression: string) => {
    if (expression === "toJSON(matrix)") return JSON.stringify(matrix, null, 2);
    const key = /^github\.(\w+)$/.exec(expression)?.[1];
    if (key === undefined || !(key in github)) {
      throw new Error(`The harness does not know the expression '${expression}'`);
    }
    return github[key as keyof GithubContext];
  });
}
