import * as z from "zod/mini";
import type { Change } from "../ledger/model/record.ts";
import { cut } from "../text/markdown.ts";
import { keyOf, type SourceChange, type SourceCursor } from "./changes.ts";

/** Longest title that the ledger keeps, in characters. */
const MAX_TITLE = 120;

/** A change as the ledger keeps it: what the dashboard shows of it. */
export interface UpkeepChange extends Change {
  repository: string;
  /** Of the pull request; null: a commit that counts by itself. */
  number: number | null;
  sha: string;
  title: string;
  url: string;
  author: string;
}

/** The same, to check what is read back. */
export const upkeepChangeShape: z.ZodMiniType<UpkeepChange> = z.object({
  key: z.string(),
  landedAt: z.number(),
  repository: z.string(),
  number: z.nullable(z.number()),
  sha: z.string(),
  title: z.string(),
  url: z.string(),
  author: z.string(),
});

export function ledgerChange(change: SourceChange): UpkeepChange {
  const { repository, number, sha, title, url, author, at } = change;
  return {
    key: keyOf(change),
    landedAt: Date.parse(at) || 0,
    ...{ repository, number, sha, url, author },
    title: cut(title, MAX_TITLE),
  };
}

/** What the output `changes` tells of a change. */
export function outputOf({ repository, number, sha, title, url, author }: UpkeepChange) {
  return { repository, number, sha, title, url, author };
}

/** A cursor as the ledger keeps it: the date finds the place again when GitHub has lost the commit. */
export function encodeCursor({ sha, date }: SourceCursor): string {
  return `${sha ?? ""} ${date}`;
}

export function decodeCursor(text: string): SourceCursor {
  const [sha = "", date = ""] = text.split(" ");
  return { sha: sha === "" ? null : sha, date };
}
