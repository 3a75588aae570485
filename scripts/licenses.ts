// The licenses of the packages in the bundles, as the text that is shipped with them.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";

/** What packages call the file; some name the license too, and some end it in .md or .txt. */
const LICENSE_FILE = /^(licen[cs]e|copying|notice)(-\w+)?(\.(md|txt))?$/i;

const RULE = "=".repeat(80);

const INTRODUCTION = `The JavaScript files in this folder contain code of the packages below, each under its own license.
`;

interface Manifest {
  name: string;
  version: string;
  license: string;
}

/** The folders of the packages of which something is in the bundles, such as `node_modules/zod`. */
export function packageFolders(metafiles: readonly Metafile[]): Set<string> {
  const folders = new Set<string>();
  for (const { outputs } of metafiles) {
    for (const { inputs } of Object.values(outputs)) {
      for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
        const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
        if (folder !== undefined && bytesInOutput > 0) folders.add(folder);
      }
    }
  }
  return folders;
}

/**
 * The names, versions and licenses of packages, in one text and in an order of its own.
 *
 * @param root the folder that the packages' folders are relative to
 * @throws when a package says nothing of its license
 */
export function licensesOf(root: string, folders: Iterable<string>): string {
  const sections = new Map<string, string>();
  for (const folder of folders) {
    const path = join(root, folder);
    const manifest = JSON.parse(readFileSync(join(path, "package.json"), "utf8")) as Manifest;
    const { name, version, license } = manifest;
    const files = readdirSync(path).filter((file) => LICENSE_FILE.test(file));
    if (files.length === 0) throw new Error(`${folder} has no file with its license.`);
    const texts = files.sort().map((file) => lines(readFileSync(join(path, file), "utf8")));
    const title = `${name} ${version}`;
    sections.set(title, [RULE, `${title} (${license})`, RULE, "", ...texts].join("\n"));
  }
  const titles = [...sections.keys()].sort();
  return [INTRODUCTION, ...titles.map((title) => sections.get(title))].join("\n");
}

function lines(text: string): string {
  return `${text.replaceAll("\r\n", "\n").trim()}\n`;
}
