// Makes the file that a runner loads of one entrypoint.
//
// esbuild first: it leaves out what no entrypoint uses, which ncc alone keeps (with @actions/core comes a
// second HTTP client, with zod every locale), and splits off what is loaded only when it is needed. Then
// ncc makes each the self-contained, minified folder that a runner loads.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { build, type Plugin } from "esbuild";
import { buildInfoOf, startOf } from "./actions.ts";

const root = resolve(import.meta.dirname, "..");

/** The package itself is made of modules, the bundles are not. */
export const BUNDLES_PACKAGE: string = `${JSON.stringify({ type: "commonjs" })}\n`;

/** A post step loads its action only if the main step left something to do: `saveState` in src/runtime/step-outputs.ts. */
export const POST_STEP = 'if (process.env.STATE_run) require("./index.js");\n';

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
      const isPure = /node_modules[\\/]@actions[\\/]/.test(found.path);
      return isPure ? { ...found, sideEffects: false } : undefined;
    });
  },
};

/**
 * Packages that most runs do not load. V8 reads all of a file before it runs any of it, so each has a file of its own
 * in `dist/packages/`, which the actions share.
 */
export const PACKAGES: string[] = ["markdown-it", "yaml"];
const fileOf = (name: string) => `../packages/${name}.js`;

/** What undici and Octokit load at once, and the action hardly needs; each would cost a run some milliseconds. */
const lighterPackages: Plugin = {
  name: "lighter-packages",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^(${PACKAGES.join("|")})$`) }, ({ path, kind }) =>
      kind === "require-call" ? undefined : { path: fileOf(path), external: true },
    );
    // No connection of the action uses HTTP/2, and every body is a text.
    const none = { contents: "module.exports = {};" };
    onLoad(
      { filter: /[\\/]undici[\\/].*[\\/](client-h2|web[\\/]fetch[\\/]body)\.js$/ },
      () => none,
    );
    // undici's parser for CPUs without SIMD, which no runner has: who asks for it gets the other one.
    const parser = 'module.exports = require("./llhttp_simd-wasm.js");';
    onLoad({ filter: /[\\/]llhttp-wasm\.js$/ }, ({ path }) => {
      return { contents: parser, resolveDir: dirname(path) };
    });
    // Octokit's parser calls a function for each value. No number that the action reads needs a BigInt.
    const json = "export const { parse: JSONParse, stringify: JSONStringify } = JSON;";
    onLoad({ filter: /[\\/]json-with-bigint\.js$/ }, () => ({ contents: json }));
    // Node's own brings a parser of source code with it, to quote what failed.
    const assert = "module.exports = (ok, why) => { if (!ok) throw new Error(why); };";
    onResolve({ filter: /^node:assert$/ }, () => ({ path: "assert", namespace: "lighter" }));
    onLoad({ filter: /./, namespace: "lighter" }, () => ({ contents: assert }));
  },
};

type Ncc = (input: string, options: Record<string, unknown>) => Promise<{ code: string }>;

/**
 * Bundles an action, or one of {@link PACKAGES}: what a runner loads, what esbuild tells of what is in it, and comments
 * of packages that name a license, which the bundle itself leaves out.
 *
 * @param entry the action's folder in dist/, or the package
 * @param work a folder for what is made on the way
 */
export async function bundleEntry(entry: string, work: string) {
  const { default: ncc } = (await import("@vercel/ncc" as string)) as { default: Ncc };
  const outdir = join(work, entry);
  const contents = PACKAGES.includes(entry)
    ? `const it = require("${entry}");\nmodule.exports = it.default ?? it;`
    : startOf(entry);
  const { metafile } = await build({
    absWorkingDir: root,
    stdin: { contents, resolveDir: root, loader: "ts" },
    outfile: join(outdir, "index.cjs"),
    bundle: true,
    metafile: true,
    // CommonJS in one file: the runtime's loader for modules alone takes longer than all of the
    // action's own code, and what is imported dynamically is still evaluated only then.
    format: "cjs",
    platform: "node",
    target: "node24",
    legalComments: "external",
    plugins: [lighterPackages, withoutSideEffects],
    define: { BUILD_INFO: JSON.stringify(buildInfoOf(entry)) },
  });
  const externals = Object.fromEntries(PACKAGES.map((name) => [fileOf(name), fileOf(name)]));
  const options = { cache: false, minify: true, quiet: true, externals };
  const { code } = await ncc(join(outdir, "index.cjs"), options);
  const legal = join(outdir, "index.cjs.LEGAL.txt");
  const licenseComments = existsSync(legal) ? licenseCommentsIn(readFileSync(legal, "utf8")) : [];
  return { code: Buffer.from(escapeNonAscii(code)), metafile, licenseComments };
}

/** The comments about licenses in what esbuild writes beside a bundle, each below the file that it is from. */
function licenseCommentsIn(legal: string): string[] {
  const [, ...files] = legal.trimEnd().split(/\n\n(?=\S)/);
  return files.filter((it) => /licen[cs]e|copyright/i.test(it));
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
