// Bundles every entrypoint into dist/, byte for byte the same on every machine.
//
//   node scripts/build.ts           writes dist/
//   node scripts/build.ts --check   fails when dist/ is not what the source builds
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import type { Metafile } from "esbuild";
import { BUNDLES_PACKAGE, bundleEntry } from "./bundle.ts";
import { licensesOf, packageFolders } from "./licenses.ts";

const root = resolve(import.meta.dirname, "..");
const dist = join(root, "dist");
const work = join(root, "build");
const actions = ["main", "assistant", "jobs", "upkeep", "collect", "queue"];
const entries = [...actions, "post", "ledger-post"];

/** The files of dist/, by their path in it. */
async function bundle(): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>([["package.json", Buffer.from(BUNDLES_PACKAGE)]]);
  const metafiles: Metafile[] = [];
  for (const entry of entries) {
    const { files: made, metafile } = await bundleEntry(entry, work);
    metafiles.push(metafile);
    for (const [name, content] of made) files.set(join(entry, name), content);
  }
  files.set("LICENSES.txt", Buffer.from(licensesOf(root, packageFolders(metafiles))));
  return files;
}

/** Each file takes the place of the one before in one step: whoever runs dist/ meanwhile finds it whole. */
async function write(files: Map<string, Buffer>): Promise<void> {
  for (const [name, content] of files) {
    const path = join(dist, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.new`, content);
    await rename(`${path}.new`, path);
    console.log(`dist/${name}  ${content.length} bytes`);
  }
  for (const name of await filesThere()) if (!files.has(name)) await rm(join(dist, name));
}

/** The files that are in dist/ now, by their path in it. */
async function filesThere(): Promise<string[]> {
  const found = await readdir(dist, { recursive: true, withFileTypes: true }).catch(() => []);
  return found
    .filter((it) => it.isFile())
    .map((it) => relative(dist, join(it.parentPath, it.name)));
}

/** The files of dist/ that differ from what the source builds, by path. */
async function differences(files: Map<string, Buffer>): Promise<string[]> {
  const there = await filesThere();
  const different: string[] = [];
  for (const name of new Set([...there, ...files.keys()])) {
    const expected = files.get(name);
    const found = there.includes(name) ? await readFile(join(dist, name)) : undefined;
    if (expected === undefined || found === undefined || !found.equals(expected)) {
      different.push(name);
    }
  }
  return different;
}

const files = await bundle();
if (process.argv.includes("--check")) {
  const different = await differences(files);
  if (different.length > 0) {
    console.error(`dist/ is not what src/ builds: ${different.join(", ")}. Run npm run build.`);
    process.exitCode = 1;
  }
} else {
  await write(files);
}
