import type { LocalWorldOptions } from "../../emulator/local-world/index.ts";
import type { RunOptions, RunResult } from "../../emulator/runner/runner.ts";
import { type LedgerSetup, setUpLedger } from "./ledger-setup.ts";

const HOUR = 60 * 60_000;

/** The local world with docs pull requests of upkeep, and land. */
export interface LandSetup extends LedgerSetup {
  /** Merges a code pull request and has upkeep document it. @returns the docs pull request's number */
  document(title?: string): Promise<number>;
  /** Runs upkeep. */
  upkeep(options?: RunOptions): Promise<RunResult>;
  /** Lets an hour pass. */
  passTime(): Promise<void>;
  /** The comments on an issue or pull request. */
  comments(number: number): Promise<{ id: number; body: string }[]>;
}

/** @param options agent and builds take no time, unless `steering` says otherwise */
export async function setUpLand({
  steering,
  ...options
}: LocalWorldOptions = {}): Promise<LandSetup> {
  const stepOf = async () => () => ({});
  const it = await setUpLedger(
    { action: "land", label: "docs-upkeep", stepOf },
    {
      ...options,
      steering: { durationMs: 0, buildMs: 0, ...steering },
    },
  );
  const { history, world } = it;
  const since = await history.tip();
  const upkeep = (over: RunOptions = {}) =>
    it.run({
      ...over,
      action: "upkeep",
      inputs: { since, "open-pull-request": "new", ...over.inputs },
    });
  const passTime = () => history.advance(HOUR);
  return {
    ...{ ...it, upkeep, passTime },
    document: async (title = "Add retries") => {
      await history.land({ title }, "squash");
      await upkeep();
      await passTime();
      await upkeep();
      const { ledger } = it.ledgers().find(({ ref }) => ref.includes("/upkeep/")) ?? {};
      return Number(ledger?.reviews.at(-1)?.prLink.split("/").at(-1));
    },
    comments: (number) => world.github.api(`/issues/${number}/comments?per_page=100`),
  };
}
