// The licenses of the packages in the bundles, as the text that is shipped with them.
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import type { Metafile } from "esbuild";

/** What packages call the file; some name the license too, and some end it in .md or .txt. */
const LICENSE_FILE = /^(licen[cs]e|copying)(-\w+)?(\.(md|txt))?$/i;
/** What Apache-2.0 asks to ship beside its text. */
const NOTICE_FILE = /^notice(\.(md|txt))?$/i;

/** Licenses that ask for no more than that their text is shipped. */
const PERMITTED = ["MIT", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "0BSD"];

/** Code of others whose license the package that brings it leaves out: the folder that it is in, and the text. */
const LEFT_OUT = new Map([["undici/lib/llhttp", "llhttp.txt"]]);

const RULE = "=".repeat(80);

const INTRODUCTION = `The JavaScript files in this folder contain code of the packages below, each under its own license.
`;

interface Manifest {
  name: string;
  version: string;
  license?: string;
}

/** Packages of which something is in the bundles: their folders, each with the folders in it that files came from. */
export function bundledFolders(metafiles: readonly Metafile[]): Map<string, Set<string>> {
  const folders = new Map<string, Set<string>>();
  for (const { outputs } of metafiles) {
    for (const { inputs } of Object.values(outputs)) {
      for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
        const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
        if (folder === undefined || bytesInOutput === 0) continue;
        const inside = folders.get(folder) ?? new Set();
        folders.set(folder, inside);
        // What a package took over from others can be in a folder of its own, with their license.
        for (let it = posix.dirname(path); it !== folder; it = posix.dirname(it)) inside.add(it);
      }
    }
  }
  return folders;
}

/**
 * The names, versions and licenses of packages, in one text and in an order of its own.
 *
 * @param root the folder that the packages' folders are relative to
 * @param comments of the code that name the license of what they stand beside
 * @throws when a package does not come with the text of its license, or the license is not one of PERMITTED
 */
export function licensesOf(
  root: string,
  folders: ReadonlyMap<string, ReadonlySet<string>>,
  comments: Iterable<string> = [],
): string {
  const sections = new Map<string, string>();
  for (const [folder, inside] of folders) {
    const manifest = readFileSync(join(root, folder, "package.json"), "utf8");
    const { name, version, license = "no license" } = JSON.parse(manifest) as Manifest;
    if (!PERMITTED.includes(license)) {
      throw new Error(`${folder} has ${license}: scripts/licenses.ts permits ${PERMITTED}.`);
    }
    const own = textsIn(join(root, folder), LICENSE_FILE);
    if (own.length === 0) throw new Error(`${folder} has no file with the text of its license.`);
    const texts = [...own, ...textsIn(join(root, folder), NOTICE_FILE)];
    for (const it of [...inside].sort()) {
      const leftOut = [...LEFT_OUT].filter(([end]) => it.endsWith(`node_modules/${end}`));
      const found = [
        ...textsIn(join(root, it), LICENSE_FILE),
        ...leftOut.map(([, file]) => lines(join(import.meta.dirname, "licenses", file))),
      ];
      texts.push(...found.map((text) => `In ${it.slice(folder.length + 1)}/:\n\n${text}`));
    }
    const title = `${name} ${version}`;
    sections.set(title, [RULE, `${title} (${license})`, RULE, "", ...texts].join("\n"));
  }
  const titles = [...sections.keys()].sort();
  const all = [INTRODUCTION, ...titles.map((title) => sections.get(title))];
  const noted = [...new Set(comments)].sort();
  if (noted.length > 0)
    all.push([RULE, "Comments in the code", RULE, "", noted.join("\n\n"), ""].join("\n"));
  return all.join("\n");
}

/** The texts of the files of a folder whose names match; empty files are none. */
function textsIn(folder: string, names: RegExp): string[] {
  const files = readdirSync(folder).filter((file) => names.test(file));
  return files.sort().flatMap((file) => {
    const text = lines(join(folder, file));
    return text.trim() === "" ? [] : [text];
  });
}

function lines(file: string): string {
  return `${readFileSync(file, "utf8").replaceAll("\r\n", "\n").trim()}\n`;
}
