import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BuildInfo } from "../src/runtime/debug-log.ts";
import { ACTIONS, metadataOf } from "./actions.ts";

/**
 * What a bundle can say of itself.
 *
 * @param root the project's folder
 * @param entry the bundle's folder in dist/
 */
export function buildInfoOf(root: string, entry: string): BuildInfo {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const action = ACTIONS.find(({ name }) => name === entry);
  const inputs = Object.entries(action === undefined ? {} : metadataOf(action).inputs).map(
    ([name, input]) => [name, String(input?.default ?? "")],
  );
  const title = `Docs ${entry === "main" ? "agent" : entry}`;
  return { version, entry, title, inputs: Object.fromEntries(inputs) };
}
