/** The marks in a commit's message with which workflows are skipped. */

/** GitHub knows these, and the last one as a trailer. */
const MARKS = /\[(?:skip ci|ci skip|no ci|skip actions|actions skip)\]|^skip-checks: ?true\s*$/gim;

export function hasSkipMark(text: string): boolean {
  return text.search(MARKS) !== -1;
}

/** One line without marks. */
export function withoutSkipMarks(line: string): string {
  return line.replace(MARKS, "").replace(/\s+/g, " ").trim();
}
