import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";

/**
 * The text of a file, and its path relative to the workspace, with `/` between folders and symbolic links resolved.
 * `problem` is the rest of a sentence that begins with the file's name, including the full stop.
 */
type FileText = { text: string; path: string } | { problem: string };

/**
 * Reads a UTF-8 file without changes. A byte order mark stays.
 *
 * @param workspace the folder that must contain the file after symbolic links are resolved
 * @param path absolute, or relative to the workspace
 */
export function readTextFile(workspace: string, path: string, maxBytes: number): FileText {
  let root: string;
  let file: string;
  try {
    root = realpathSync(workspace);
    file = realpathSync(resolve(root, path));
  } catch {
    return {
      problem: "does not exist: it must be a file in the workspace. Is the repository checked out?",
    };
  }
  const inside = relative(root, file);
  if (inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
    return { problem: "is outside the workspace: it must be a file inside it." };
  }
  try {
    const stat = statSync(file);
    if (!stat.isFile()) return { problem: "is not a file." };
    if (stat.size > maxBytes) return { problem: `is larger than ${maxBytes} bytes.` };
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return { text: decoder.decode(readFileSync(file)), path: inside.replaceAll(sep, "/") };
  } catch (error) {
    if (error instanceof TypeError) return { problem: "is not UTF-8 text." };
    const { code = "unknown reason" } = error as NodeJS.ErrnoException;
    return { problem: `cannot be read (${code}).` };
  }
}

/**
 * The paths of all files in the workspace, sorted, with `/` between folders. It excludes `.git`, and targets of
 * symbolic links that are outside of the workspace or were already visited.
 */
export function workspaceFiles(workspace: string): string[] {
  const root = realpathSync(workspace);
  const files: string[] = [];
  const seen = new Set<string>();
  const open = [root];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
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
