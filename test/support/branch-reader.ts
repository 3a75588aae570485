import { GitHub } from "../../emulator/github/github.ts";
import type { Pull } from "../../emulator/github/state.ts";
import { type BranchCursor, gainedSince } from "../../src/github/changes/gained-commits.ts";
import { HistoryReader } from "../../src/github/changes/history-reader.ts";
import { landedChanges } from "../../src/github/changes/landed-changes.ts";
import { known } from "../../src/runtime/fact.ts";
import { connectEmulated } from "./github-client.ts";
import { knownValue } from "./known.ts";
import { keyIn } from "./landed.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

interface ReadOptions {
  /** Maximum number of requests. */
  requests?: number;
  /** The list of pull requests is longer than the part that is read. */
  isListTooLong?: boolean;
}

/** A repository in memory, and a reader of its default branch that continues where its last read ended. */
export function setUpBranch() {
  let now = Date.parse("2026-03-01T00:00:00Z");
  const github = new GitHub(() => now);
  const repository = github.create("acme/code");
  const { connect, asked } = connectEmulated(github);
  let cursor: BranchCursor = { sha: repository.tip(), date: new Date(now).toISOString() };
  const key = (of: string | Pick<Pull, "number">) => keyIn(repository, of);
  const newHistory = async () => new HistoryReader(await connect(), repository.fullName);

  const read = async ({ requests = 1000, isListTooLong = false }: ReadOptions = {}) => {
    const history = await newHistory();
    const before = asked.length;
    if (isListTooLong) {
      history.mergedPulls = async () => known({ pulls: [], isComplete: false });
    }
    const head = repository.tip();
    const gained = knownValue(await gainedSince(history, cursor, head));
    const { id, fullName, defaultBranch: branch } = repository;
    const place = { id, repository: fullName, branch };
    const mayAsk = () => asked.length - before < requests;
    const changes = [];
    const former: string[] = [];
    const read = knownValue(await landedChanges(history, gained, place, now, mayAsk));
    ({ cursor } = read);
    for (const landed of read.landed) {
      changes.push(landed.details.change);
      former.push(landed.former ?? "");
    }
    const keys = changes.map(({ number, sha }) => key(number === null ? sha : { number }));
    return { keys, changes, former, gained, requests: asked.length - before };
  };

  return {
    github,
    repository,
    newHistory,
    asked,
    read,
    key,
    now: () => now,
    cursor: () => cursor,
    /** Advances GitHub's clock, in milliseconds. */
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}
