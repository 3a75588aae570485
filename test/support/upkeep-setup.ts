import type { LocalWorldOptions } from "../../emulator/local-world/index.ts";
import type { RunResult } from "../../emulator/runner/runner.ts";
import { type LedgerAction, type LedgerSetup, setUpLedger } from "./ledger-setup.ts";

/** The titles of the changes that a run handed over. */
export function titlesIn({ outputs }: RunResult): string[] {
  return JSON.parse(outputs.changes ?? "").map(({ title }: { title: string }) => title);
}

/** The number of a pull request. */
export function pullNumberOf(prLink: string): number {
  return Number(prLink.split("/").at(-1));
}

/** The local world, with upkeep on its repository. */
export interface UpkeepSetup extends LedgerSetup {
  /** Advances GitHub's clock until a job's record can no longer be outdated. */
  passTime(): Promise<void>;
}

const UPKEEP: LedgerAction = {
  action: "upkeep",
  label: "docs-upkeep",
  stepOf: async (history) => {
    // The commits from before the test are not changes.
    const since = history.home.tip();
    return () => ({ inputs: { since } });
  },
};

export async function setUpUpkeep(options: LocalWorldOptions = {}): Promise<UpkeepSetup> {
  const scene = await setUpLedger(UPKEEP, options);
  return { ...scene, passTime: () => scene.history.advance(60_000) };
}
