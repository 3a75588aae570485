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
  const { name, description, inputs = {}, outputs = {}, runs } = parse(text);
  if (typeof runs?.main !== "string") throw new Error(`${file} names no runs.main`);
  const defaults = Object.entries<{ default?: unknown } | null>(inputs).map(([input, it]) => [
    input,
    String(it?.default ?? ""),
  ]);
  const metadata: ActionMetadata = {
    ...{ name: String(name), description: String(description) },
    ...{ inputs: Object.fromEntries(defaults), outputs: Object.keys(outputs) },
    ...{ using: String(runs.using), main: runs.main, post: runs.post, postIf: runs["post-if"] },
  };
  known.set(file, { text, metadata });
  return metadata;
}
