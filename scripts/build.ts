// Bundles every entrypoint into dist/, byte for byte the same on every machine.
//
//   node scripts/build.ts           writes dist/
//   node scripts/build.ts --check   fails when dist/ is not what the source builds
//
// esbuild first: it leaves out what no entrypoint uses, which ncc alone keeps (with @actions/core comes a
// second HTTP client, with zod every locale), and splits off what is loaded only when it is needed. Then
// ncc makes each the self-contained, minified folder that a runner loads.
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Metafile, type Plugin } from "esbuild";
import { buildInfoOf } from "./build-info.ts";
import { licensesOf, packageFolders } from "./licenses.ts";

const root = resolve(fileURLToPath(import.meta.url), "../..");
const dist = join(root, "dist");
const work = join(root, "build");
const actions = ["main", "assistant", "jobs", "upkeep", "collect", "queue"];
const entries = [...actions, "post", "upkeep-post", "queue-post"];

/** The package itself is made of modules, the bundles are not. */
const PACKAGE = `${JSON.stringify({ type: "commonjs" })}\n`;

/**
 * These packages do not say so themselves, but nothing happens when they are loaded: what is not used
 * can be left out. It must stay so when they are updated, or the bundles break and their tests with them.
 */
const withoutSideEffects: Plugin = {
  name: "without-side-effects",
  setup({ onResolve, resolve: resolvePath }) {
    onResolve({ filter: /./ }, async ({ path, pluginData, importer, resolveDir, kind }) => {
      if (pluginData?.isNested || kind === "entry-point") return;
      const nested = { isNested: true };
      const found = await resolvePath(path, { importer, resolveDir, kind, pluginData: nested });
      return /node_modules[\\/]@actions[\\/]/.test(found.path)
        ? { ...found, sideEffects: false }
        : undefined;
    });
  },
};

type Ncc = (
  input: string,
  options: Record<string, unknown>,
) => Promise<{ code: string; assets: Record<string, { source: string | Buffer }> }>;

/** The files of dist/, by their path in it. */
async function bundle(): Promise<Map<string, Buffer>> {
  const { default: ncc } = (await import("@vercel/ncc" as string)) as { default: Ncc };
  const files = new Map([["package.json", Buffer.from(PACKAGE)]]);
  const metafiles: Metafile[] = [];
  for (const entry of entries) {
    const outdir = join(work, entry);
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: { index: `src/entrypoints/${entry}.ts` },
      outdir,
      bundle: true,
      metafile: true,
      // CommonJS in one file: the runtime's loader for modules alone takes longer than all of the
      // action's own code, and what is imported dynamically is still evaluated only then.
      format: "cjs",
      platform: "node",
      target: "node24",
      legalComments: "none",
      outExtension: { ".js": ".cjs" },
      plugins: [withoutSideEffects],
      define: { BUILD_INFO: JSON.stringify(buildInfoOf(root, entry)) },
    });
    metafiles.push(metafile);
    const { code, assets } = await ncc(join(outdir, "index.cjs"), {
      cache: false,
      minify: true,
      quiet: true,
    });
    files.set(join(entry, "index.js"), Buffer.from(escapeNonAscii(code)));
    for (const [name, { source }] of Object.entries(assets)) {
      files.set(join(entry, name), Buffer.from(source));
    }
  }
  files.set("LICENSES.txt", Buffer.from(licensesOf(root, packageFolders(metafiles))));
  return files;
}

/**
 * One character outside of Latin-1, in a string of a message, and the whole bundle is kept, and scanned,
 * in two bytes a character. All of them are in strings, where an escape means the same.
 */
function escapeNonAscii(code: string): string {
  return code.replace(
    /[^\0-\x7F]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
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
