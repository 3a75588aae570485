// What nothing in the project uses: files, packages and exports. A type that its own file uses, too, is part of what
// the file exports. What is used from outside of the project's files is marked with `@public`.
import type { KnipConfig } from "knip";
import packageJson from "./package.json" with { type: "json" };
import { ACTIONS } from "./scripts/actions.ts";

/** The scripts that commands of npm start, which knip does not see behind the one that finds Node. */
const commands =
  Object.values(packageJson.scripts)
    .join("\n")
    .match(/scripts\/[\w-]+\.ts/g) ?? [];

const config: KnipConfig = {
  entry: [
    // The start of a bundle, whose text is made by the build, imports these.
    "src/entrypoints/run-entrypoint.ts",
    ...ACTIONS.flatMap(({ begins, postStep }) => [begins.file, postStep?.file ?? begins.file]),
    ...commands,
    "scripts/{phrase-corpus,test-summary}.ts",
    "playground/browser/main.ts",
    "emulate.config.ts",
  ],
  project: ["{src,emulator,playground,scripts,test}/**/*.{ts,mjs,cjs}"],
  includeEntryExports: true,
  ignoreExportsUsedInFile: { class: true, interface: true, type: true },
};

export default config;
