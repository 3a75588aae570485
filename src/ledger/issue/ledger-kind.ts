import type * as z from "zod/mini";
import type { CheckpointLimits } from "../model/checkpoint.ts";
import type { Change, Claim } from "../model/record.ts";

/** What the comments of a ledger hold, and what people read there. */
export interface LedgerContent<C extends Change> {
  /** What the ledger keeps of a change. */
  changeShape: z.ZodMiniType<C>;
  /** In the comment of a claim. */
  renderClaim(claim: Claim<C>): string;
  /** In the comment where a first run began, or after a key rotation. */
  renderCheckpoint(): string;
}

/** What tells one action's ledgers from another's. */
export interface LedgerKind<C extends Change> extends LedgerContent<C> {
  /** Goes into the key of its markers: the action, and for several ledgers of one project their own name. */
  name: string;
  /** Whose dashboard it is, in a sentence: `this project's`. */
  whose: string;
  /** Of the issue. */
  title: string;
  label: string;
  /** What a dashboard says before the first run has read anything. */
  introduction: string;
  /** What its marker holds beside the ledger before the first run has read anything. */
  shown: unknown;
  limits: CheckpointLimits;
  /** Whether batches go to jobs that were there before, so that a status may be an old one. */
  hasFollowUps: boolean;
}
