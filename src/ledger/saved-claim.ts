import type { Place } from "../github/markers.ts";
import type { ClaimMemory } from "./effects.ts";
import type { Change } from "./record.ts";

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
