/** The file `ledger.json` of any action: how it is read and written. */

import type * as z from "zod/mini";

/** What every ledger has. */
export interface LedgerFile {
  /** How often it was written. */
  writes: number;
  /** Paths of the files in `history/`, oldest first. */
  historyFiles: string[];
}

/** Which ledger it is. */
export interface LedgerIdentity {
  action: string;
  /** The beginning of the SHA-256 of the project's ID. */
  project: string;
}

/** The format of an action's ledger. */
export interface LedgerFormat<L extends LedgerFile> {
  begin(): L;
  /** @returns a problem if the text is not this action's ledger: the rest of a sentence that begins with the ref */
  parse(text: string | null): { ledger: L } | { problem: string };
}

/** A ledger and the changes of a run. */
export interface Edited<L extends LedgerFile> {
  readonly ledger: L;
  readonly isChanged: boolean;
  /** GitHub's time, in the format of the ledger. */
  readonly time: string;
  /** Finished entries, one per line of the history. */
  readonly history: readonly object[];
  /** What happened, for the message of the commit. */
  readonly events: readonly string[];
}

/** The history file for entries that are finished now. */
export function historyFileOf({ time }: Pick<Edited<LedgerFile>, "time">): string {
  return `history/${time.slice(0, 7)}.jsonl`;
}

/** A time in milliseconds since 1970, in the format of the ledger. */
export function timeText(now: number): string {
  return new Date(now).toISOString().replace(/\.\d+Z$/, "Z");
}

/** Reads `ledger.json`: a problem as in {@link LedgerFormat}. */
export function parseFile<L extends LedgerFile>(
  text: string | null,
  identity: LedgerIdentity,
  schema: z.ZodMiniType<L>,
): { ledger: L } | { problem: string } {
  if (text === null) return { problem: "holds no ledger.json, so it is not a ledger" };
  const value = parseJson(text);
  const { version, action, project } = value ?? {};
  if (typeof version !== "number") return { problem: "holds a ledger.json that is not a ledger" };
  if (version !== 1) {
    return { problem: `was written by a newer version of this action (format ${version})` };
  }
  if (action !== identity.action) return { problem: `belongs to ${String(action).slice(0, 40)}` };
  if (project !== identity.project) return { problem: "belongs to another project" };
  const { data, error } = schema.safeParse(value);
  if (data !== undefined) return { ledger: data };
  const where = error?.issues[0]?.path.join(".") ?? "";
  return { problem: `holds a ledger.json that cannot be read (at ${where || "its beginning"})` };
}

export function parseJson(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return typeof value === "object" ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

/** The text of the file: one field per line, so that `git diff` shows what a write changed. */
export function ledgerText(value: LedgerFile): string {
  return `${JSON.stringify(value, null, 1)}\n`;
}

/** Why a history file that the ledger names cannot be read. */
export function notShown(file: string): string {
  return `GitHub does not show ${file}; if it was removed on purpose, take it out of \`historyFiles\` in ledger.json, too`;
}
