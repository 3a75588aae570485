/** The file `ledger.json` of any action: how it is read and written. */

import { isDeepStrictEqual } from "node:util";
import * as z from "zod/mini";
import { parseJson } from "../service/json.ts";

/** The fields of every ledger. */
export const ledgerFile = z.object({
  version: z.literal(1),
  action: z.string(),
  /** The beginning of the SHA-256 of the project's ID. */
  project: z.string(),
  /** The number of writes. */
  writes: z.number(),
  /** Paths of the files in `history/`, oldest first. */
  historyFiles: z.array(z.string()),
});

/**
 * A link to a pull request or comment. It was safe when it was written; what is shown is checked again. A person who
 * repairs a ledger may write anything.
 */
export const link = z.string().check(z.refine((text) => URL.canParse(text)));

/** The value of a schema, which nobody changes. */
export type Stored<Schema extends z.ZodMiniType> = Unchanging<z.infer<Schema>>;
type Unchanging<T> = T extends object ? { readonly [Key in keyof T]: Unchanging<T[Key]> } : T;

export type LedgerFile = Stored<typeof ledgerFile>;

/**
 * A ledger as a run leaves it, and what has happened to it. A value: each step makes another one from it, so that a run
 * that lost a race can take the same steps from the newer ledger.
 */
export interface Revision<L extends LedgerFile> {
  readonly ledger: L;
  /** What happened, for the message of the commit. */
  readonly events: readonly string[];
  /** Finished entries, one per line of the history. */
  readonly history: readonly object[];
}

/** A ledger that nothing has happened to yet. */
export function unchanged<L extends LedgerFile>(ledger: L): Revision<L> {
  return { ledger, events: [], history: [] };
}

/** @param event for the message of the commit; null for none */
export function withFields<R extends Revision<LedgerFile>>(
  from: R,
  fields: Partial<R["ledger"]>,
  event: string | null = null,
): R {
  const events = event === null ? from.events : [...from.events, event];
  return { ...from, ledger: { ...from.ledger, ...fields }, events };
}

/** Whether a write has anything to say. @param before the ledger as it was read */
export function isNews<L extends LedgerFile>({ ledger, events, history }: Revision<L>, before: L) {
  if (events.length > 0 || history.length > 0) return true;
  return ledger !== before && !isDeepStrictEqual(ledger, before);
}

/** How the ledger of an action is kept in `ledger.json`: as the JSON of its value. */
export interface LedgerFormat<L extends LedgerFile> {
  /** The ledger before the first write. */
  readonly begin: L;
  readonly schema: z.ZodMiniType<L>;
  /** The ledger without entries that only matter for a while. @param now GitHub's time */
  recent(ledger: L, now: number): L;
}

/** A time in milliseconds since 1970, in the format of the ledger. */
export function timeText(now: number): string {
  return new Date(now).toISOString().replace(/\.\d+Z$/, "Z");
}

/**
 * Reads `ledger.json`.
 *
 * @param now GitHub's time, in milliseconds since 1970
 * @returns a problem if it is another one: the rest of a sentence that begins with the ref
 */
export function parseLedger<L extends LedgerFile>(
  text: string | null,
  format: LedgerFormat<L>,
  now: number,
): { ledger: L } | { problem: string } {
  if (text === null) return { problem: "holds no ledger.json, so it is not a ledger" };
  const value = fieldsOf(text);
  const { version, action, project } = value;
  if (typeof version !== "number") return { problem: "holds a ledger.json that is not a ledger" };
  if (version !== 1) {
    return { problem: `was written by a newer version of this action (format ${version})` };
  }
  const { begin } = format;
  if (action !== begin.action) return { problem: `belongs to ${String(action).slice(0, 40)}` };
  if (project !== begin.project) return { problem: "belongs to another project" };
  const { data, error } = format.schema.safeParse(value);
  if (data !== undefined) return { ledger: format.recent(data, now) };
  const place = error?.issues[0]?.path.join(".") || "its beginning";
  return { problem: `holds a ledger.json that cannot be read (at ${place})` };
}

/** The fields of a JSON object. Any other text has none. */
export function fieldsOf(text: string | null): Record<string, unknown> {
  const value = text === null ? null : parseJson(text.replace(/^\uFEFF/, ""));
  return (value ?? {}) as Record<string, unknown>;
}

/** The text of the file: one entry of a list per line, so that `git diff` shows what a write changed. */
export function ledgerText(value: LedgerFile): string {
  const fields = Object.entries(value).map(([name, field]) => {
    const entries = Array.isArray(field) ? field.map((entry) => JSON.stringify(entry)) : [];
    const text = entries.length === 0 ? JSON.stringify(field) : `[\n${entries.join(",\n")}\n]`;
    return `${JSON.stringify(name)}: ${text}`;
  });
  return `{\n${fields.join(",\n")}\n}\n`;
}

/** `README.md` in the ledger's ref, for people who read it with git. */
export const README = `# The ledger of Docs Agent Action

This commit belongs to a ledger: \`ledger.json\` is what the next run begins with, \`history/\` has a line for each
batch or docs pull request that ended, and the commits of this ref say what happened and when. Every run of the
action reads it; a run that has found or done something writes it. REF is the full name of the ref, such as
\`refs/docs-agent/upkeep/1a2b3c4d5e6f\`.

    git fetch origin REF && git log FETCH_HEAD              # look at it
    git fetch origin REF:refs/backup/ledger                 # back it up
    git push --force-with-lease=REF:NOW origin COMMIT:REF   # restore it; NOW is the commit that REF names
    git push origin --delete REF                            # begin anew, as the action's first run did

To begin anew, also close the dashboard, if the action has one, and remove its label; then start the workflow. To
repair an entry by hand, commit on top of the ref and push it there: active runs notice this, and read again.
`;
