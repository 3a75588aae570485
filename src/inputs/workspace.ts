import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { quote } from "../text/sentence.ts";
import { Problem } from "./checks.ts";

/**
 * Reads a UTF-8 file without changes. A byte order mark stays.
 *
 * @param workspace the folder that must contain the file after symbolic links are resolved
 * @param name its path, absolute or relative to the workspace
 * @param limit the maximum size, in words
 * @returns also its path relative to the workspace, with `/` between folders and symbolic links resolved
 * @throws Problem
 */
export function readTextFile(
  workspace: string,
  name: string,
  maxBytes: number,
  limit = `${maxBytes} bytes`,
): { text: string; path: string } {
  const refuse = (problem: string) => new Problem(`${quote(name)} ${problem}`);
  try {
    const path = pathInside(workspace, name);
    if (path === null) throw refuse("is outside the workspace: it must be a file inside it.");
    const file = join(workspace, path);
    const stat = statSync(file);
    if (!stat.isFile()) throw refuse("is not a file.");
    if (stat.size > maxBytes) throw refuse(`is larger than ${limit}.`);
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return { text: decoder.decode(readFileSync(file)), path };
  } catch (error) {
    if (error instanceof Problem) throw error;
    const { code = "unknown reason" } = error as NodeJS.ErrnoException;
    throw refuse(REASONS[code] ?? `cannot be read (${code}): it must be a file in the workspace.`);
  }
}

/** Why a file cannot be read, by the error's code. */
const REASONS: Record<string, string> = {
  ENOENT: "does not exist: it must be a file in the workspace. Is the repository checked out?",
  ERR_ENCODING_INVALID_ENCODED_DATA: "is not UTF-8 text.",
};

/**
 * The paths of all files in the workspace, with `/` between folders. It excludes `.git`, folders that are symbolic
 * links, and files that are links to outside of the workspace.
 */
export function workspaceFiles(workspace: string, folder = ""): string[] {
  const entries = readdirSync(join(workspace, folder), { withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = folder + entry.name;
    if (entry.name === ".git") return [];
    if (entry.isDirectory()) return workspaceFiles(workspace, `${path}/`);
    const isFile = entry.isFile() || (entry.isSymbolicLink() && isLinkToFile(workspace, path));
    return isFile ? [path] : [];
  });
}

function isLinkToFile(workspace: string, link: string): boolean {
  try {
    const path = pathInside(workspace, link);
    return path !== null && statSync(join(workspace, path)).isFile();
  } catch {
    return false;
  }
}

/** The real path of a file, relative to the workspace; null if it is outside. Throws if there is no such file. */
function pathInside(workspace: string, name: string): string | null {
  const root = realpathSync(workspace);
  const path = relative(root, realpathSync(resolve(root, name)));
  const isOutside = path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path);
  return isOutside ? null : path.replaceAll(sep, "/");
}
