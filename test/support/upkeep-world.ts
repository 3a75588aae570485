import type { LocalWorldOptions } from "../../emulator/local-world/index.ts";
import { type LedgerAction, type LedgerWorld, setLedgerWorld } from "./ledger-world.ts";

/** The local world, and upkeep on its repository. */
export interface UpkeepWorld extends LedgerWorld {
  /** Lets so much time pass that a job's record is no longer taken for an old one. */
  passTime(): Promise<void>;
}

const UPKEEP: LedgerAction = {
  action: "upkeep",
  label: "docs-upkeep",
  stepOf: async (history) => {
    // What stands in the repository before the test is no change.
    const since = await history.tip();
    return () => ({ inputs: { since } });
  },
};

export async function setUpkeepWorld(options: LocalWorldOptions = {}): Promise<UpkeepWorld> {
  const scene = await setLedgerWorld(UPKEEP, options);
  return { ...scene, passTime: () => scene.history.advance(60_000) };
}
