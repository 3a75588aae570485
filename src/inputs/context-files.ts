import type { ContextItem } from "../service/assistant.ts";
import { linesOf, quote } from "../text/quote.ts";
import { readTextFile } from "./workspace-file.ts";

/** Bounds on what is sent along: how many files, and how many bytes each and all together. */
const MAX_FILES = 50;
const MAX_FILE = 256 * 1024;
const MAX_ALL = 1024 * 1024;

/**
 * The files that `context-files` names, one path a line, as context of a question. Each item has the path of
 * its file relative to the workspace.
 *
 * @param workspace the folder that every file must lie in, symbolic links resolved
 * @returns the items in the order of the lines, and what is wrong, a sentence each
 */
export function readContextFiles(
  list: string,
  workspace: string,
): { items: ContextItem[]; problems: string[] } {
  const paths = linesOf(list);
  if (paths.length > MAX_FILES) {
    const problem = `context-files: ${paths.length} files are too many: at most ${MAX_FILES} are allowed.`;
    return { items: [], problems: [problem] };
  }
  const items: ContextItem[] = [];
  const problems: string[] = [];
  let bytes = 0;
  for (const name of paths) {
    const file = readTextFile(workspace, name, Math.min(MAX_FILE, MAX_ALL - bytes));
    if ("text" in file) {
      bytes += Buffer.byteLength(file.text);
      items.push({ type: "code", value: file.text, path: file.path });
    } else problems.push(`context-files: ${quote(name)} ${file.problem}`);
  }
  return { items, problems };
}
