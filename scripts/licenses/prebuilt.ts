// The packages of which there is code in a file of another package, because that package ships bundled files.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";

/** What bundlers add to the files that they make. It is not installed, so its license is in this folder. */
const HELPERS: Record<string, string> = {
  "@oxc-project/runtime": "oxc-runtime.txt",
  rolldown: "rolldown.txt",
};

/** The packages inside of the files of others. */
export interface Prebuilt {
  /** Where they are installed, relative to the root. */
  folders: Set<string>;
  /** Texts of the licenses of {@link HELPERS}, each with the name of its package. */
  helpers: Map<string, string>;
}

/**
 * Finds the packages inside of the prebuilt files in some bundles, by the files' source maps and the marks of bundlers.
 *
 * @param root the folder that the metafiles' paths are relative to
 * @throws if such a package is not installed, and is not one of {@link HELPERS}: its license is not known
 */
export function prebuiltPackages(root: string, metafiles: readonly Metafile[]): Prebuilt {
  const outputs = metafiles.flatMap((metafile) => Object.values(metafile.outputs));
  const files = new Set(
    outputs.flatMap(({ inputs }) =>
      Object.keys(inputs).filter((path) => (inputs[path]?.bytesInOutput ?? 0) > 0),
    ),
  );
  const folders = new Set<string>();
  const helpers = new Map<string, string>();
  for (const file of files) {
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
    if (folder === undefined) continue;
    for (const name of namesIn(join(root, file))) {
      const helper = HELPERS[name];
      const installed = helper === undefined ? installedFor(root, folder, name) : null;
      if (helper !== undefined) {
        helpers.set(name, readFileSync(join(import.meta.dirname, helper), "utf8"));
      } else if (installed !== null) {
        folders.add(installed);
      } else {
        throw new Error(
          `${file} contains code of ${name}, which is not installed. Save the text of its license in scripts/licenses/, and name it in prebuilt.ts there.`,
        );
      }
    }
  }
  return { folders, helpers };
}

/** The names of the packages of which a file has code, by what its bundler wrote about its sources. */
function namesIn(file: string): Set<string> {
  const text = readFileSync(file, "utf8");
  const marks = [...text.matchAll(/^\s*\/\/ ?(?:#region )?((?:\\0|[./]*node_modules\/).+)$/gm)];
  const sources = [...marks.map(([, source = ""]) => source), ...sourcesOf(`${file}.map`)];
  return new Set(sources.flatMap((source) => packageOf(source) ?? []));
}

/** The sources that a source map names; none without a map. */
function sourcesOf(map: string): string[] {
  if (!existsSync(map)) return [];
  const { sources = [] } = JSON.parse(readFileSync(map, "utf8")) as { sources?: string[] };
  return sources;
}

/** The package that a source is of; null if it is of the project that was bundled. */
function packageOf(source: string): string | null {
  const installed = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1];
  if (installed !== undefined) return installed;
  // What a bundler adds has a name such as `\0@scope+name@1.0.0/file.js`, or `\0name/file.js`; in a map with the
  // character NUL.
  const added = /^(?:\\0|\0)(@?[^/@]+)(?:@[^/]+)?\//.exec(source)?.[1];
  return added?.replace("+", "/") ?? null;
}

/** The folder where Node finds a package for the code in another package's folder; null if it is not installed. */
function installedFor(root: string, folder: string, name: string): string | null {
  let place = folder;
  for (;;) {
    const candidate = place === "" ? `node_modules/${name}` : `${place}/node_modules/${name}`;
    if (existsSync(join(root, candidate, "package.json"))) return candidate;
    if (place === "") return null;
    const outer = /^(.*?)\/?node_modules\/(?:@[^/]+\/)?[^/]+$/.exec(place);
    place = outer?.[1] ?? "";
  }
}
