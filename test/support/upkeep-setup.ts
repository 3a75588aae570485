import type { LocalWorldOptions } from "../../emulator/local-world/index.ts";
import { type LedgerAction, type LedgerSetup, setUpLedger } from "./ledger-setup.ts";

/** The local world, and upkeep on its repository. */
export interface UpkeepSetup extends LedgerSetup {
  /** Lets so much time pass that a job's record is no longer taken for an old one. */
  passTime(): Promise<void>;
}

const UPKEEP: LedgerAction = {
  action: "upkeep",
  label: "docs-upkeep",
  stepOf: async (history) => {
    // What stands in the repository before the test is no change.
    const since = history.home.tip();
    return () => ({ inputs: { since } });
  },
};

export async function setUpUpkeep(options: LocalWorldOptions = {}): Promise<UpkeepSetup> {
  const scene = await setUpLedger(UPKEEP, options);
  return { ...scene, passTime: () => scene.history.advance(60_000) };
}
