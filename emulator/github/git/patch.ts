import { applyPatch, structuredPatch } from "diff";

export interface Patch {
  additions: number;
  deletions: number;
  /** Hunks as `git diff` shows them; undefined: there is nothing to show. */
  patch?: string;
}

/** Files that GitHub shows no lines of, in bytes. */
const TOO_LARGE = 1024 * 1024;

export function patchOf(before: Buffer | undefined, after: Buffer | undefined): Patch {
  const [old, now] = [before, after].map((content) => content ?? Buffer.alloc(0)) as [
    Buffer,
    Buffer,
  ];
  const isBinary = [old, now].some((content) => content.includes(0));
  if (isBinary || old.length + now.length > TOO_LARGE) return { additions: 0, deletions: 0 };
  const { hunks } = structuredPatch("", "", old.toString(), now.toString());
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  const shown = hunks.map((hunk) => {
    const [from, to] = [span(hunk.oldStart, hunk.oldLines), span(hunk.newStart, hunk.newLines)];
    return [`@@ -${from} +${to} @@`, ...hunk.lines].join("\n");
  });
  const patch = shown.length === 0 ? {} : { patch: shown.join("\n") };
  return { additions: count("+"), deletions: count("-"), ...patch };
}

/** Git counts from the line before where there are none, and leaves out the number where it is one. */
function span(start: number, lines: number): string {
  return lines === 1 ? String(start) : `${lines === 0 ? start - 1 : start},${lines}`;
}

/** A text with what two sides changed in it; undefined: they changed the same lines. */
export function mergeTexts(base: Buffer, ours: Buffer, theirs: Buffer): string | undefined {
  const context = { context: 1 };
  const patch = structuredPatch("", "", base.toString(), theirs.toString(), "", "", context);
  const merged = applyPatch(ours.toString(), patch);
  return merged === false ? undefined : merged;
}
