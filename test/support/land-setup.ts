import type { LocalWorldOptions } from "../../emulator/local-world/index.ts";
import type { RunOptions, RunResult } from "../../emulator/runner/runner.ts";
import type { LandLedger } from "../../src/land/ledger.ts";
import { type LedgerSetup, setUpLedger } from "./ledger-setup.ts";
import { ledgersOf } from "./ledgers-of.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The local world, with land on the docs pull requests of upkeep. */
export interface LandSetup extends LedgerSetup {
  /** Merges a code pull request and has upkeep document it. @returns the docs pull request's number */
  document(title?: string): Promise<number>;
  /** Runs upkeep. */
  upkeep(options?: RunOptions): Promise<RunResult>;
  /** Advances GitHub's clock. Default: an hour. */
  passTime(hours?: number): Promise<void>;
  /** Runs land so that it has seen each head, and advances GitHub's clock by 5 minutes. */
  see(options?: RunOptions): Promise<void>;
  /** The comments on an issue or pull request. */
  comments(number: number): Promise<{ id: number; body: string }[]>;
  /** The body of the only comment on a docs pull request. */
  comment(number: number): Promise<string>;
  /** The path of the page that a docs pull request changes. */
  pageOf(number: number): Promise<string>;
  /** The ID of a docs pull request's job. */
  jobOf(number: number): Promise<string>;
  /** Land's ledger. */
  landLedger(): LandLedger;
}

/** @param options the agent and builds take no time, unless `steering` overrides that */
export async function setUpLand({
  steering,
  ...options
}: LocalWorldOptions = {}): Promise<LandSetup> {
  const stepOf = async () => () => ({});
  const setup = await setUpLedger(
    { action: "land", label: "docs-upkeep", stepOf },
    {
      ...options,
      steering: { durationMs: 0, buildMs: 0, ...steering },
    },
  );
  const { history, world } = setup;
  const { github, service } = world;
  const since = history.home.tip();
  const upkeep = (over: RunOptions = {}) =>
    setup.run({
      ...over,
      action: "upkeep",
      inputs: { since, "open-pull-request": "new", ...over.inputs },
    });
  const passTime = (hours = 1) => history.advance(hours * HOUR);
  const comments = (number: number) =>
    github.api<{ id: number; body: string }[]>(`/issues/${number}/comments?per_page=100`);
  const upkeepLedger = () => setup.ledgers().find(({ ref }) => ref.includes("/upkeep/"))?.ledger;
  return {
    ...setup,
    upkeep,
    passTime,
    see: async (over: RunOptions = {}) => {
      await setup.run({ ...over, inputs: { ...over.inputs, merge: "never" } });
      await history.advance(5 * MINUTE);
    },
    comments,
    document: async (title = "Add retries") => {
      await history.land({ title }, "squash");
      await upkeep();
      await passTime();
      await upkeep();
      return Number(upkeepLedger()?.reviews.at(-1)?.prLink.split("/").at(-1));
    },
    comment: async (number) => {
      const [comment, ...others] = await comments(number);
      if (others.length > 0) throw new Error(`${others.length} other comments`);
      return comment?.body ?? "";
    },
    pageOf: async (number) => {
      const [file] = await github.api<{ filename: string }[]>(`/pulls/${number}/files`);
      return file?.filename ?? "";
    },
    jobOf: async (number) => {
      const jobs = await service.jobs();
      return jobs.find(({ prLink }) => prLink?.endsWith(`/pull/${number}`))?.id ?? "";
    },
    landLedger: () => {
      const [own] = ledgersOf<LandLedger>(github.home).filter(({ ref }) => ref.includes("/land/"));
      if (own === undefined) throw new Error("There is no ledger of land");
      return own.ledger;
    },
  };
}
