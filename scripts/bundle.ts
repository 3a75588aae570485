// Builds the file that a runner loads for one entrypoint.
//
// esbuild first: it leaves out code that no entrypoint uses, which ncc keeps (@actions/core has a second HTTP
// client, zod has every locale), and splits off code that is loaded only when it is needed. Then ncc makes the
// self-contained, minified folder that a runner loads.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { build, type Metafile, type Plugin } from "esbuild";
import { buildInfoOf, startOf } from "./actions.ts";

const root = resolve(import.meta.dirname, "..");

/** The project has ES modules, the bundles are CommonJS. */
export const BUNDLES_PACKAGE: string = `${JSON.stringify({ type: "commonjs" })}\n`;

/** A post step loads its action only if the main step left something to do: see src/runtime/step-outputs.ts. */
export const POST_STEP = 'if (process.env.STATE_run) require("./index.js");\n';

/**
 * These packages have no side effects when they are loaded, although they do not declare it, so that unused code can
 * be left out. If an update changes that, the bundles break, and their tests fail.
 */
const withoutSideEffects: Plugin = {
  name: "without-side-effects",
  setup({ onResolve, resolve: resolvePath }) {
    onResolve({ filter: /./ }, async ({ path, pluginData, importer, resolveDir, kind }) => {
      if (pluginData?.isNested || kind === "entry-point") return;
      const nested = { isNested: true };
      const resolved = await resolvePath(path, { importer, resolveDir, kind, pluginData: nested });
      const isPure = /node_modules[\\/]@actions[\\/]/.test(resolved.path);
      return isPure ? { ...resolved, sideEffects: false } : undefined;
    });
  },
};

/**
 * Packages that most runs do not load. V8 reads a whole file before it runs it, so each package has a file of its own
 * in `dist/packages/`, which the actions share.
 */
export const PACKAGES: string[] = ["markdown-it", "yaml"];
const fileOf = (name: string) => `../packages/${name}.js`;

/** Replaces code that undici loads at once, although the action does not need it: it takes milliseconds. */
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
    // undici's parser for CPUs without SIMD. Every runner's CPU has it, so the other parser takes its place.
    const parser = 'module.exports = require("./llhttp_simd-wasm.js");';
    onLoad({ filter: /[\\/]llhttp-wasm\.js$/ }, ({ path }) => {
      return { contents: parser, resolveDir: dirname(path) };
    });
    // undici needs one number of it, for which the default of `--max-http-header-size` stands in, and a class that no
    // body of the action has.
    const http = "module.exports = { IncomingMessage: class {}, maxHeaderSize: 16_384 };";
    onResolve({ filter: /^node:http$/ }, ({ importer }) =>
      /[\\/]undici[\\/]/.test(importer) ? { path: "http", namespace: "lighter" } : undefined,
    );
    // Node's `assert` loads a parser of source code, to quote the failed assertion. The code of its error tells it from
    // a mistake of the action (src/net/exchange.ts).
    const failed = `Object.assign(new Error(message), { code: "ERR_ASSERTION" })`;
    const assert = `module.exports = (ok, message) => { if (!ok) throw ${failed}; };`;
    onResolve({ filter: /^node:assert$/ }, () => ({ path: "assert", namespace: "lighter" }));
    onLoad({ filter: /^http$/, namespace: "lighter" }, () => ({ contents: http }));
    onLoad({ filter: /^assert$/, namespace: "lighter" }, () => ({ contents: assert }));
  },
};

type Ncc = (input: string, options: Record<string, unknown>) => Promise<{ code: string }>;

export interface Bundle {
  code: Buffer;
  /** esbuild's list of the files in it. */
  metafile: Metafile;
  /** Comments of packages that name a license, which the code leaves out. */
  licenseComments: string[];
}

/**
 * Bundles an action, or one of {@link PACKAGES}.
 *
 * @param entry the action's folder in dist/, or the package
 * @param work a folder for intermediate files
 */
export async function bundleEntry(entry: string, work: string): Promise<Bundle> {
  const { default: ncc }: { default: Ncc } = await import(import.meta.resolve("@vercel/ncc"));
  const outdir = join(work, entry);
  const contents = PACKAGES.includes(entry)
    ? `const exported = require("${entry}");\nmodule.exports = exported.default ?? exported;`
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

/** The comments about licenses in the file that esbuild writes beside a bundle, each with the file that it is from. */
function licenseCommentsIn(legal: string): string[] {
  const [, ...files] = legal.trimEnd().split(/\n\n(?=\S)/);
  return files.filter((comments) => /licen[cs]e|copyright/i.test(comments));
}

/**
 * With a single character outside of Latin-1, V8 stores and scans the whole bundle with two bytes a character. All such
 * characters are in strings, where an escape means the same.
 */
function escapeNonAscii(code: string): string {
  return code.replace(
    /[^\0-\x7F]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
