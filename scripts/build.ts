// Bundles every entrypoint into dist/, byte for byte the same on every machine.
//
//   node scripts/build.ts           writes dist/
//   node scripts/build.ts --check   fails if dist/ is not what the source builds
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { Metafile } from "esbuild";
import { ACTIONS } from "./actions.ts";
import { BUNDLES_PACKAGE, bundleEntry, PACKAGES, POST_STEP } from "./bundle.ts";
import { prebuiltPackages } from "./licenses/prebuilt.ts";
import { bundledFolders, licensesOf } from "./licenses.ts";

const root = resolve(import.meta.dirname, "..");
const dist = join(root, "dist");
const work = join(root, "build");

/** The files of dist/, by their path in it. */
async function bundle(): Promise<Map<string, Buffer>> {
  // The comments about licenses that esbuild wrote before would count again.
  rmSync(work, { recursive: true, force: true });
  const files = new Map<string, Buffer>([["package.json", Buffer.from(BUNDLES_PACKAGE)]]);
  const metafiles: Metafile[] = [];
  const comments: string[] = [];
  const bundles = [
    ...ACTIONS.map(({ name }) => [name, join(name, "index.js")] as const),
    ...PACKAGES.map((name) => [name, join("packages", `${name}.js`)] as const),
  ];
  for (const [name, path] of bundles) {
    const { code, metafile, licenseComments } = await bundleEntry(name, work);
    metafiles.push(metafile);
    comments.push(...licenseComments);
    files.set(path, code);
  }
  for (const { name, postStep } of ACTIONS) {
    if (postStep) files.set(join(name, "post.js"), Buffer.from(POST_STEP));
  }
  files.set("LICENSES.txt", Buffer.from(licensesIn(metafiles, comments)));
  return files;
}

function licensesIn(metafiles: readonly Metafile[], comments: readonly string[]): string {
  const { folders: inside, helpers } = prebuiltPackages(root, metafiles);
  const folders = bundledFolders(metafiles);
  for (const folder of inside) if (!folders.has(folder)) folders.set(folder, new Set());
  return licensesOf(root, folders, { comments, helpers });
}

/** The files that are in dist/ now, by their path in it. */
function filesThere(): Map<string, Buffer> {
  const entries = readdirSync(dist, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.map((path) => [relative(dist, path), readFileSync(path)]));
}

mkdirSync(dist, { recursive: true });
const files = await bundle();
const there = filesThere();
if (process.argv.includes("--check")) {
  const names = [...new Set([...there.keys(), ...files.keys()])];
  const different = names.filter(
    (name) => !files.get(name)?.equals(there.get(name) ?? Buffer.of()),
  );
  if (different.length > 0) {
    console.error(`dist/ is not what src/ builds: ${different.join(", ")}. Run npm run build.`);
    process.exitCode = 1;
  }
} else {
  // Replaces each file in one step, so that an action that runs meanwhile never reads half a file.
  for (const [name, content] of files) {
    const path = join(dist, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.new`, content);
    renameSync(`${path}.new`, path);
    console.log(`dist/${name}  ${content.length} bytes`);
  }
  for (const name of there.keys()) if (!files.has(name)) rmSync(join(dist, name));
}
