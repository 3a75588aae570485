import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { BuildInfo } from "../src/runtime/debug-log.ts";

interface ActionFile {
  inputs?: Record<string, { default?: unknown } | null>;
  runs?: { main?: string; post?: string };
}

/**
 * What a bundle can say of itself.
 *
 * @param root the project's folder
 * @param entry the bundle's folder in dist/
 * @throws if no `action.yml` runs it
 */
export function buildInfoOf(root: string, entry: string): BuildInfo {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const actions = globSync(["action.yml", "*/action.yml"], {
    cwd: root,
    exclude: ["node_modules", "dist", "build"],
  }).map((file): ActionFile => parse(readFileSync(join(root, file), "utf8")));
  const users = actions.filter(({ runs = {} }) =>
    [runs.main, runs.post].some((file) => file?.endsWith(`dist/${entry}/index.js`)),
  );
  if (users.length === 0) throw new Error(`dist/${entry} is run by no action.yml.`);
  const inputs = users
    .flatMap((action) => Object.entries(action.inputs ?? {}))
    .map(([name, input]) => [name, String(input?.default ?? "")]);
  return { version, entry, inputs: Object.fromEntries(inputs) };
}
