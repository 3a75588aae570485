import type { Place } from "../github/markers.ts";
import type { ClaimMemory } from "../ledger/effects.ts";
import type { UpkeepChange } from "./ledger-change.ts";

/** What the main step leaves for its post step: plain data without a secret. */
export interface SavedUpkeep {
  memory: ClaimMemory<UpkeepChange>;
  place: Place;
  projectId: string;
  githubApiUrl: string;
}
