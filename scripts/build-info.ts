import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BuildInfo } from "../src/runtime/debug-log.ts";
import { ACTIONS, metadataOf, titleOf } from "./actions.ts";

/**
 * What a bundle can say of itself.
 *
 * @param root the project's folder
 * @param entry the bundle's folder in dist/
 */
export function buildInfoOf(root: string, entry: string): BuildInfo {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const users = ACTIONS.map(metadataOf).filter(({ entrypoints }) => entrypoints.includes(entry));
  const inputs = users
    .flatMap((action) => Object.entries(action.inputs))
    .map(([name, input]) => [name, String(input?.default ?? "")]);
  return { version, entry, title: titleOf(entry), inputs: Object.fromEntries(inputs) };
}
