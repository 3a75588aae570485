// The licenses of the packages in the bundles, as the text that is shipped with them.
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import type { Metafile } from "esbuild";

/** Names of license files. Some contain the license's name, and some end in .md or .txt. */
const LICENSE_FILE = /^(licen[cs]e|copying)(-\w+)?(\.(md|txt))?$/i;
/** Apache-2.0 requires that this file is shipped, too. */
const NOTICE_FILE = /^notice(\.(md|txt))?$/i;

/** Licenses that require only that their text is shipped. */
const PERMITTED = ["MIT", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "0BSD"];

/** undici has code of others in this folder, without their license. */
const LLHTTP = "node_modules/undici/lib/llhttp";

const RULE = "=".repeat(80);

const INTRODUCTION = `The JavaScript files in this folder contain code of the packages below, each under its own license.
`;

/** Folders of packages that are in the bundles, each with its subfolders that files came from. */
export function bundledFolders(metafiles: readonly Metafile[]): Map<string, Set<string>> {
  const folders = new Map<string, Set<string>>();
  const outputs = metafiles.flatMap((metafile) => Object.values(metafile.outputs));
  const inputs = outputs.flatMap((output) => Object.entries(output.inputs));
  for (const [path, { bytesInOutput }] of inputs) {
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
    if (folder === undefined || bytesInOutput === 0) continue;
    const inside = folders.get(folder) ?? new Set();
    folders.set(folder, inside);
    // Code that a package took from others can be in a subfolder, with their license.
    let parent = posix.dirname(path);
    while (parent !== folder) {
      inside.add(parent);
      parent = posix.dirname(parent);
    }
  }
  return folders;
}

interface MoreLicenses {
  /** Comments that name the license of the code beside them. */
  comments?: Iterable<string>;
  /** Texts of licenses by the names of the packages, which are not installed. */
  helpers?: ReadonlyMap<string, string>;
}

/**
 * The names, versions and licenses of packages, in one text and in an order of its own.
 *
 * @param root the folder that the packages' folders are relative to
 * @param more what is not in the packages' folders
 * @throws if a package has no text of its license, or the license is not one of PERMITTED
 */
export function licensesOf(
  root: string,
  folders: ReadonlyMap<string, ReadonlySet<string>>,
  { comments = [], helpers = new Map() }: MoreLicenses = {},
): string {
  const sections = new Set<string>();
  for (const [folder, inside] of folders) {
    const manifest = readFileSync(join(root, folder, "package.json"), "utf8");
    const { name, version, license = "no license" } = JSON.parse(manifest);
    if (!PERMITTED.includes(license)) {
      throw new Error(`${folder} has ${license}: scripts/licenses.ts permits ${PERMITTED}.`);
    }
    const own = textsIn(join(root, folder), LICENSE_FILE);
    if (own.length === 0) throw new Error(`${folder} has no file with the text of its license.`);
    const texts = [...own, ...textsIn(join(root, folder), NOTICE_FILE)];
    for (const subfolder of [...inside].sort()) {
      const licenses = subfolder.endsWith(LLHTTP)
        ? [lines(join(import.meta.dirname, "licenses/llhttp.txt"))]
        : textsIn(join(root, subfolder), LICENSE_FILE);
      const place = subfolder.slice(folder.length + 1);
      texts.push(...licenses.map((text) => `In ${place}/:\n\n${text}`));
    }
    sections.add(section(`${name} ${version} (${license})`, ...texts));
  }
  for (const [name, text] of helpers) {
    sections.add(section(`${name} (in prebuilt files of others)`, `${text.trim()}\n`));
  }
  const noted = [...new Set(comments)].sort().join("\n\n");
  const last = noted === "" ? [] : [section("Comments in the code", noted, "")];
  return [INTRODUCTION, ...[...sections].sort(), ...last].join("\n");
}

const section = (title: string, ...texts: string[]) => [RULE, title, RULE, "", ...texts].join("\n");

/** The texts of the files of a folder whose names match; empty files are none. */
function textsIn(folder: string, names: RegExp): string[] {
  const files = readdirSync(folder).filter((file) => names.test(file));
  return files.sort().flatMap((file) => {
    const text = lines(join(folder, file));
    return text.trim() === "" ? [] : [text];
  });
}

const lines = (file: string) => `${readFileSync(file, "utf8").replaceAll("\r\n", "\n").trim()}\n`;
