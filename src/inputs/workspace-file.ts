import { readFileSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";

/** Largest file that is read into a prompt, in bytes. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * A file's text, and its path relative to the workspace, with `/` between folders and symbolic links
 * resolved. Or what is wrong with it: the rest of a sentence that begins with its name, full stop and all.
 */
export type FileText = { text: string; path: string } | { problem: string };

/**
 * Reads a text file that must lie inside the workspace, symbolic links resolved.
 *
 * @param workspace the folder it stays inside
 * @param path absolute, or relative to the workspace
 */
export function readPromptFile(workspace: string, path: string): FileText {
  const file = readTextFile(workspace, path, MAX_BYTES);
  if ("text" in file && file.text.trim() === "") {
    return { problem: "is empty: it must contain an instruction." };
  }
  return file;
}

/**
 * Reads a UTF-8 file inside the workspace, byte for byte (a byte order mark stays).
 *
 * @param maxBytes a larger file is a problem
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
  if (!isInside(root, file)) {
    return { problem: "is outside the workspace: it must be a file inside it." };
  }
  try {
    const stat = statSync(file);
    if (!stat.isFile()) return { problem: "is not a file." };
    if (stat.size > maxBytes) {
      return { problem: `is larger than ${maxBytes} bytes.` };
    }
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return {
      text: decoder.decode(readFileSync(file)),
      path: relative(root, file).replaceAll(sep, "/"),
    };
  } catch (error) {
    if (error instanceof TypeError) return { problem: "is not UTF-8 text." };
    return {
      problem: `cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown reason"}).`,
    };
  }
}

function isInside(folder: string, file: string): boolean {
  const path = relative(folder, file);
  return path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}
