import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Metafile } from "esbuild";
import { afterEach, describe, expect, test } from "vitest";
import { prebuiltPackages } from "../../scripts/licenses/prebuilt.ts";
import { bundledFolders, licensesOf } from "../../scripts/licenses.ts";
import { read } from "./files.ts";

interface Lock {
  packages: Record<string, { version?: string }>;
}

const shipped = [...read("dist/LICENSES.txt").matchAll(/^={80}\n(\S+) (\S+) \((.+)\)\n={80}\n/gm)];
const { packages } = JSON.parse(read("package-lock.json")) as Lock;

test("LICENSES.txt has the versions of the lock file", () => {
  expect(shipped.length).toBeGreaterThan(5);
  for (const [, name, version] of shipped) {
    const locked = Object.entries(packages).filter(([path]) =>
      path.endsWith(`node_modules/${name}`),
    );
    expect(locked.map(([, entry]) => entry.version)).toContain(version);
  }
});

/** esbuild's metafile of a bundle with these files of packages. */
function bundleOf(...files: string[]): Metafile[] {
  const inputs = Object.fromEntries(files.map((file) => [file, { bytesInOutput: 10 }]));
  return [{ inputs: {}, outputs: { "index.cjs": { inputs, bytes: 0, imports: [], exports: [] } } }];
}

test("a package is listed if a file of it is in a bundle, with the folders of its files", () => {
  const metafiles = bundleOf(
    "src/root/root.ts",
    "node_modules/zod/v4/mini/index.js",
    "node_modules/zod/index.js",
    "node_modules/@actions/github/node_modules/undici/index.js",
    "node_modules/tunnel/index.js",
  );
  const inputs = metafiles[0]?.outputs["index.cjs"]?.inputs;
  if (inputs) inputs["node_modules/tunnel/index.js"] = { bytesInOutput: 0 };
  expect([...bundledFolders(metafiles)]).toEqual([
    ["node_modules/zod", new Set(["node_modules/zod/v4/mini", "node_modules/zod/v4"])],
    ["node_modules/@actions/github/node_modules/undici", new Set()],
  ]);
});

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A new folder with these files, for one test. @param files contents by path */
function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(path.join(tmpdir(), "docs-agent-licenses-"));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  return folder;
}

describe("a prebuilt file", () => {
  let root = "";
  const PREBUILT = "node_modules/a/dist/index.js";
  const map = (...sources: string[]) => ({ [`${PREBUILT}.map`]: JSON.stringify({ sources }) });

  /** What is inside of a package's only file. @param installed folders of the other packages */
  function inside(text: string, installed: string[], more: Record<string, string> = {}) {
    const manifests = installed.map((folder) => [`${folder}/package.json`, "{}"]);
    root = folderWith({ [PREBUILT]: text, ...more, ...Object.fromEntries(manifests) });
    return prebuiltPackages(root, bundleOf(PREBUILT, "src/run.ts"));
  }

  const B = "node_modules/b";
  const INNER = "node_modules/a/node_modules/b";
  test.each<[string, string, string[], string[], Record<string, string>]>([
    ["a region", "//#region node_modules/b/index.js\n", [B], [B], {}],
    [
      "a comment of esbuild",
      "  // ../../node_modules/@c/d/x.js\n",
      ["node_modules/@c/d"],
      ["node_modules/@c/d"],
      {},
    ],
    ["its source map", "", [B], [B], map("../src/a.ts", "../node_modules/b/index.js")],
    ["pnpm's folder", "", [B], [B], map("../node_modules/.pnpm/b@1.0.0/node_modules/b/x.js")],
    ["a region of a nested package", "//#region node_modules/b/x.js\n", [B, INNER], [INNER], {}],
    ["nothing", "// Reads node_modules/b/index.js\n", [B], [], map("../src/a.ts")],
  ])("contains the packages that %s names", (_, text, installed, expected, more) => {
    expect([...inside(text, installed, more).folders]).toEqual(expected);
  });

  test("contains what its bundler added, with its license", () => {
    const text =
      "//#region \\0rolldown/runtime.js\n//#region \\0@oxc-project+runtime@0.1.0/typeof.js\n";
    const { helpers } = inside(text, []);
    expect([...helpers.keys()]).toEqual(["rolldown", "@oxc-project/runtime"]);
    expect([...inside("", [], map("\0rolldown/runtime.js")).helpers.keys()]).toEqual(["rolldown"]);
    const licenses = licensesOf(root, new Map(), { helpers });
    expect(licenses).toMatch(/\nrolldown \(in prebuilt files of others\)\n=+\n\nMIT License\n/);
  });

  test("is refused with code of a package that is not installed", () => {
    const message = `${PREBUILT} contains code of b, which is not installed.`;
    expect(() => inside("//#region node_modules/b/index.js\n", [])).toThrow(message);
  });
});

test("docs/root-action.md names every package of LICENSES.txt, and no other", () => {
  const titles = read("dist/LICENSES.txt").matchAll(/^={80}\n(\S+) .*\(.+\)\n={80}$/gm);
  const packages = [...titles].map(([, name]) => name);
  const [, part = ""] = read("docs/root-action.md").split("## What the bundle contains");
  const rows = [...part.matchAll(/^\| (`.+?`) \|/gm)].flatMap(
    ([, cell = ""]) => cell.match(/[^`, ]+/g) ?? [],
  );
  expect(rows.toSorted()).toEqual(packages.toSorted());
});

describe("LICENSES.txt", () => {
  let root = "";
  /** The text for a bundle of all JavaScript files. @param files contents by path */
  function textFor(files: Record<string, string>, comments: string[] = []): string {
    root = folderWith(files);
    const code = Object.keys(files).filter((name) => name.endsWith(".js"));
    return licensesOf(root, bundledFolders(bundleOf(...code)), { comments });
  }

  const manifest = (name: string, license?: string, version = "1.0.0") =>
    JSON.stringify({ name, version, license });
  const A = {
    "node_modules/a/package.json": manifest("a", "MIT"),
    "node_modules/a/index.js": "",
    "node_modules/a/LICENSE.md": "Copyright A\r\n",
  };

  test("has each version of a package, with its own license", () => {
    const nested = "node_modules/a/node_modules/b";
    const shippedText = textFor({
      ...A,
      [`${nested}/package.json`]: manifest("b", "ISC", "2.0.0"),
      [`${nested}/index.js`]: "",
      [`${nested}/LICENSE`]: "Copyright B2",
      "node_modules/b/package.json": manifest("b", "Apache-2.0"),
      "node_modules/b/index.js": "",
      "node_modules/b/LICENSE-APACHE.txt": "Copyright B1",
      "node_modules/b/NOTICE": "B is made of C.",
    });
    const sections = shippedText
      .split(/^={80}$/m)
      .map((text) => text.trim().replaceAll("\n\n", "\n"));
    expect(sections.slice(1)).toEqual([
      "a 1.0.0 (MIT)",
      "Copyright A",
      "b 1.0.0 (Apache-2.0)",
      "Copyright B1\nB is made of C.",
      "b 2.0.0 (ISC)",
      "Copyright B2",
    ]);
  });

  test("has the license of code that a package took from others, if that is in a bundle", () => {
    const text = textFor({
      ...A,
      "node_modules/a/lib/theirs/code/index.js": "",
      "node_modules/a/lib/theirs/LICENSE": "Copyright C",
      "node_modules/a/lib/unused/LICENSE": "Copyright D",
    });
    expect(text).toContain("Copyright A\n\nIn lib/theirs/:\n\nCopyright C\n");
    expect(text).not.toContain("Copyright D");
  });

  test("has the license of llhttp, which undici contains without one", () => {
    const text = textFor({
      "node_modules/undici/package.json": manifest("undici", "MIT"),
      "node_modules/undici/lib/llhttp/llhttp-wasm.js": "",
      "node_modules/undici/LICENSE": "Copyright U",
    });
    expect(text).toMatch(
      /In lib\/llhttp\/:\n\nThis software is .*MIT.*\n\nCopyright Fedor Indutny/,
    );
  });

  test("ends with the comments that name a license, each once", () => {
    const comments = ["a/index.js:\n  /*! d. MIT License. D */", "a/b.js:\n  /*! (c) E */"];
    const text = textFor(A, [...comments, ...comments]);
    expect(text.split(/^={80}\n/m).slice(-2)).toEqual([
      "Comments in the code\n",
      `\n${comments[1]}\n\n${comments[0]}\n`,
    ]);
  });

  test.each<[string, Record<string, string>, string]>([
    ["has no text of its license", { "LICENSE.md": " \n" }, "no file with the text"],
    ["has only a notice", { "LICENSE.md": "", NOTICE: "Made by A." }, "no file with the text"],
    [
      "has a license with other conditions",
      { "package.json": manifest("a", "GPL-3.0") },
      "GPL-3.0",
    ],
    ["does not name its license", { "package.json": manifest("a") }, "no license"],
  ])("is refused for a package that %s", (_, files, message) => {
    const own = Object.entries(files).map(([name, text]) => [`node_modules/a/${name}`, text]);
    expect(() => textFor({ ...A, ...Object.fromEntries(own) })).toThrow(message);
  });
});
