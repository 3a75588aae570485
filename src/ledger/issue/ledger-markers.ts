import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { type ApiKeys, Markers, type Purpose } from "../../github/markers.ts";
import type { Change, LedgerRecord } from "../model/record.ts";

/** What a marker of the ledger holds. Who signed it also wrote it: its shape is not checked in depth. */
export interface LedgerMarker<C extends Change> {
  record: LedgerRecord<C>;
  /** What only the dashboard's body holds: what the last run showed beside the ledger. */
  shown?: unknown;
}

/**
 * The markers of a ledger.
 *
 * @param name the action, and for several ledgers of one project the ledger's own name
 */
export function ledgerMarkers<C extends Change>(
  name: string,
  keys: ApiKeys,
  projectId: string,
): Markers<LedgerMarker<C>> {
  const purpose: Purpose<LedgerMarker<C>> = {
    name: `ledger marker ${name}`,
    owner: "project",
    schema: z.object({
      record: z.custom<LedgerRecord<C>>(isRecord),
      shown: z.optional(z.unknown()),
    }) as unknown as Purpose<LedgerMarker<C>>["schema"],
    isCompressed: true,
  };
  return new Markers(purpose, keys, projectId);
}

/** A ledger's name that anybody can see: which issue is another project's, without the key to verify it. */
export function ledgerTag(name: string, projectId: string): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([name, projectId]))
    .digest("hex");
  return `<!-- docs-agent-ledger:${hash.slice(0, 16)} -->`;
}

function isRecord(value: unknown): boolean {
  const kind = (value as { kind?: unknown } | null)?.kind;
  return kind === "claim" || kind === "checkpoint";
}
