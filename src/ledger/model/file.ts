/** The file `ledger.json` of any action: how it is read and written. */

import * as z from "zod/mini";
import { parseJson } from "../../service/json.ts";

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

export type LedgerFile = z.infer<typeof ledgerFile>;
export type LedgerIdentity = Pick<LedgerFile, "action" | "project">;

/** The new ledger of an action, and the schema. */
export interface LedgerFormat<L extends LedgerFile> {
  begin: L;
  schema: z.ZodMiniType<L>;
}

/**
 * A copy of a ledger, which a run changes. The changes depend only on the ledger, the run's facts and GitHub's time, so that
 * a run that lost a race can repeat them on the newer ledger.
 */
export class FileEdit<L extends LedgerFile, Line extends object = object> {
  readonly ledger: L;
  /** Finished entries, one per line of the history. */
  readonly history: Line[] = [];
  /** What happened, for the message of the commit. */
  readonly events: string[] = [];
  /** GitHub's time, in milliseconds since 1970. */
  readonly now: number;
  readonly #before: string;

  constructor(ledger: L, now: number) {
    this.now = now;
    this.#before = JSON.stringify(ledger);
    this.ledger = JSON.parse(this.#before);
  }

  get isChanged(): boolean {
    // What happened is a change, and to compare a large ledger takes milliseconds.
    const isNews = this.history.length > 0 || this.events.length > 0;
    return isNews || JSON.stringify(this.ledger) !== this.#before;
  }

  /** GitHub's time, in the format of the ledger. */
  get time(): string {
    return timeText(this.now);
  }

  /** @param event for the message of the commit; empty for none */
  change(fields: Partial<L>, event = ""): void {
    Object.assign(this.ledger, fields);
    if (event !== "") this.events.push(event);
  }
}

/** A time in milliseconds since 1970, in the format of the ledger. */
export function timeText(now: number): string {
  return new Date(now).toISOString().replace(/\.\d+Z$/, "Z");
}

/** Reads `ledger.json`. @returns a problem if it is another one: the rest of a sentence that begins with the ref */
export function parseLedger<L extends LedgerFile>(
  text: string | null,
  { begin, schema }: LedgerFormat<L>,
): { ledger: L } | { problem: string } {
  if (text === null) return { problem: "holds no ledger.json, so it is not a ledger" };
  const value = fieldsOf(text);
  const { version, action, project } = value;
  if (typeof version !== "number") return { problem: "holds a ledger.json that is not a ledger" };
  if (version !== 1) {
    return { problem: `was written by a newer version of this action (format ${version})` };
  }
  if (action !== begin.action) return { problem: `belongs to ${String(action).slice(0, 40)}` };
  if (project !== begin.project) return { problem: "belongs to another project" };
  const { data, error } = schema.safeParse(value);
  if (data !== undefined) return { ledger: data };
  const where = error?.issues[0]?.path.join(".") ?? "";
  return { problem: `holds a ledger.json that cannot be read (at ${where || "its beginning"})` };
}

/** The fields of a JSON object. Any other text has none. */
export function fieldsOf(text: string): Record<string, unknown> {
  return (parseJson(text.replace(/^\uFEFF/, "")) ?? {}) as Record<string, unknown>;
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
thing that came to its end, and the commits of this ref say what happened and when. Every run of the
action reads it and writes it. REF is the full name of the ref, such as \`refs/docs-agent/upkeep/1a2b3c4d5e6f\`.

    git fetch origin REF && git log FETCH_HEAD   # look at it
    git fetch origin REF:refs/backup/ledger      # back it up
    git push --force origin COMMIT:REF           # restore it, or set it to an earlier commit
    git push origin --delete REF                 # begin anew, as the action's first run did

To begin anew, also close the dashboard, if the action has one, and take its label off; then start the workflow. To repair an entry by
hand, commit on top of the ref and push it there: runs that are at work meanwhile notice, and read again.
`;
