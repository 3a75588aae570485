import { readdirSync, realpathSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** More files than anybody has in a repository: a folder that holds itself ends at some time. */
const MOST_FILES = 200_000;

/**
 * All files of the workspace, by their paths in it with `/` between folders, in the order of their names.
 * `.git` is left out, and so is what a symbolic link leads to outside of the workspace, or leads to again.
 */
export function workspaceFiles(workspace: string): string[] {
  const root = realpathSync(workspace);
  const files: string[] = [];
  const seen = new Set<string>();
  const open = [root];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (files.length >= MOST_FILES) return files.sort();
      const path = join(folder, entry.name);
      if (folder === root && entry.name === ".git") continue;
      const target = entry.isSymbolicLink() ? insideOrNull(root, path) : path;
      if (target === null || (entry.isSymbolicLink() && seen.has(target))) continue;
      seen.add(target);
      const kind = entry.isSymbolicLink() ? statSync(target) : entry;
      if (kind.isDirectory()) open.push(path);
      else if (kind.isFile()) files.push(relative(root, path).replaceAll(sep, "/"));
    }
  }
  return files.sort();
}

function insideOrNull(root: string, link: string): string | null {
  try {
    const target = realpathSync(link);
    return target.startsWith(`${root}${sep}`) ? target : null;
  } catch {
    return null;
  }
}
