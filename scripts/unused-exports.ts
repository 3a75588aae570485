// Fails if a file exports what no other file imports.
import { ACTIONS } from "./actions.ts";
import { projectFiles, readSources } from "./code/source-file.ts";
import { unusedExports } from "./code/unused-exports.ts";

/** What the start of a bundle imports, whose text is made by the build. */
const STARTS = ACTIONS.flatMap(({ begins, postStep }) => [begins, postStep ?? begins]);
const IMPORTED_BY_BUILD = new Set([
  "src/entrypoints/run-entrypoint.ts: runEntrypoint",
  ...STARTS.map(({ name, file }) => `${file}: ${name}`),
]);

for (const unused of unusedExports(readSources(projectFiles()))) {
  if (IMPORTED_BY_BUILD.has(unused)) continue;
  console.error(`No other file imports this export: ${unused}`);
  process.exitCode = 1;
}
