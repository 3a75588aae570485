import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { quote } from "../text/sentence.ts";
import { InputProblem } from "./checks.ts";

/**
 * Reads a UTF-8 file without changes. A byte order mark stays.
 *
 * @param workspace the folder that must contain the file after symbolic links are resolved
 * @param name its path, absolute or relative to the workspace
 * @param limit the maximum size, in words
 * @returns also its path relative to the workspace, with `/` between folders and symbolic links resolved
 * @throws InputProblem
 */
export function readTextFile(
  workspace: string,
  name: string,
  maxBytes: number,
  limit = `${maxBytes} bytes`,
): { text: string; path: string } {
  const refuse = (problem: string) => new InputProblem(`${quote(name)} ${problem}`);
  try {
    const path = pathInside(workspace, name);
    if (path === null) throw refuse("is outside the workspace: it must be a file inside it.");
    if (isOfGit(path)) throw refuse("is in `.git`: it must be a file of the repository.");
    const file = join(workspace, path);
    const stat = statSync(file);
    if (!stat.isFile()) throw refuse("is not a file.");
    if (stat.size > maxBytes) throw refuse(`is larger than ${limit}.`);
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return { text: decoder.decode(readFileSync(file)), path };
  } catch (error) {
    const reason = reasonOf(error);
    throw reason === null ? error : refuse(reason);
  }
}

/** Codes of errors about a file that is not there as the input names it, or that the runner may not read. */
const UNREADABLE = [
  "EACCES",
  "EINVAL",
  "EISDIR",
  "ELOOP",
  "ENAMETOOLONG",
  "ENOTDIR",
  "EPERM",
  // A name with a null character.
  "ERR_INVALID_ARG_VALUE",
];

/** Why a file cannot be read; null if it is not because of the input. */
function reasonOf(error: unknown): string | null {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOENT") {
    return "does not exist: it must be a file in the workspace. Is the repository checked out?";
  }
  if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") return "is not UTF-8 text.";
  if (!UNREADABLE.includes(code)) return null;
  return `cannot be read (${code}): it must be a file in the workspace.`;
}

/**
 * The paths of all files in the workspace, with `/` between folders. It excludes `.git`, folders that are symbolic
 * links, and files that are links to outside of the workspace or into `.git`.
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
    return path !== null && !isOfGit(path) && statSync(join(workspace, path)).isFile();
  } catch {
    return false;
  }
}

/** Whether a file is git's own, such as the configuration, which holds the token of the checkout. */
function isOfGit(path: string): boolean {
  return path.split("/").some((name) => name.toLowerCase() === ".git");
}

/** The real path of a file, relative to the workspace; null if it is outside. Throws if there is no such file. */
function pathInside(workspace: string, name: string): string | null {
  const root = realpathSync(workspace);
  const path = relative(root, realpathSync(resolve(root, name)));
  const isOutside = path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path);
  return isOutside ? null : path.replaceAll(sep, "/");
}
