import * as z from "zod/mini";
import type { Place } from "../../github/markers.ts";
import type { Change, Claim, DatedClaim } from "../model/record.ts";
import type { ClaimMemory } from "../protocol/effects.ts";

/** What the main step leaves for its post step: plain data without a secret. */
export interface SavedClaim<C extends Change> {
  /** Name of the ledger's kind. */
  ledger: string;
  memory: ClaimMemory<C>;
  /** The dashboard. */
  place: Place;
  projectId: string;
  githubApiUrl: string;
}

/**
 * Whether a post step's state is what a main step leaves.
 *
 * @param change what the ledger keeps of a change
 */
export function isSavedClaim<C extends Change>(
  saved: unknown,
  change: z.ZodMiniType<C>,
): saved is SavedClaim<C> {
  return savedClaim(change).safeParse(saved).success;
}

function savedClaim<C extends Change>(change: z.ZodMiniType<C>): z.ZodMiniType<SavedClaim<C>> {
  const memory = z.object({
    claim: claimOf(change),
    commentId: z.number(),
    since: z.nullable(z.number()),
    sending: z.nullable(z.number()),
  });
  return z.object({
    ledger: z.string(),
    memory,
    place: z.object({ repository: z.string(), issue: z.number() }),
    projectId: z.string(),
    githubApiUrl: z.string().check(z.refine((address) => URL.canParse(address))),
  });
}

function claimOf<C extends Change>(change: z.ZodMiniType<C>): z.ZodMiniType<Claim<C>> {
  const batch = z.object({
    state: z.enum([
      ...([
        "intended",
        "withdrawn",
        "unreported",
        "uncertain",
        "running",
        "failed",
        "done",
      ] as const),
    ]),
    handed: z.array(z.object({ change, attempt: z.number(), after: z.nullable(z.string()) })),
    cursors: z.record(z.string(), z.string()),
    jobId: z.nullable(z.string()),
    prLink: z.nullable(z.string()),
    reason: z.string(),
    retry: z.boolean(),
  });
  // As in the ledger: other runs, perhaps of another version, wrote them, and the signature is what counts.
  const taken = z.custom<DatedClaim<C>>((value) => typeof value === "object" && value !== null);
  const claim: z.ZodMiniType<Claim<C>> = z.object({
    kind: z.literal("claim"),
    id: z.string(),
    number: z.number(),
    comment: z.nullable(z.number()),
    takenAsUncertain: z.array(taken),
    batches: z.array(batch),
  });
  return claim;
}
