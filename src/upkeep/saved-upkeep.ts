import type { SavedRun } from "../ledger/recover.ts";
import type { UpkeepChange } from "./ledger-change.ts";

/** What the main step leaves for its post step: plain data without a secret. */
export type SavedUpkeep = SavedRun<UpkeepChange>;
