/** Reads when the ledgers of upkeep were written last, and which trial refs killed runs left. */

import * as z from "zod/mini";
import { parseAgent } from "../batches/model/excerpts.ts";
import { HistoryReader } from "../github/changes/history-reader.ts";
import { fieldsOf } from "../ledger/file.ts";
import { DAY } from "../runtime/clock.ts";
import { ABSENT, type Fact, known, type Unread } from "../runtime/fact.ts";
import type { GitHubAsker } from "./ask.ts";
import type { GitHubFacts, LedgerAge } from "./facts.ts";
import type { DoctorRun } from "./run.ts";
import { isTrial, type SavedTrial } from "./trial-ref.ts";

/** Maximum number of ledgers whose age is read, and of branches that each of them watches. */
const MOST_LEDGERS = 2;
const MOST_SOURCES = 3;

/** How long a ledger may be silent although changes were merged, in milliseconds. */
const SILENT = 30 * DAY;

const sources = z.object({
  sources: z.array(z.object({ repository: z.string(), branch: z.string() })),
});

/** @param trial this run's own, which its post step deletes if this run could not */
export async function readLedgers(
  ask: GitHubAsker,
  trial: SavedTrial,
  run: DoctorRun,
): Promise<{
  ledgers: GitHubFacts["ledgers"];
  /** Addresses of the agent's pull requests, not checked. */
  pullLinks: string[];
  /** Trial refs that are not this run's own. */
  abandoned: string[];
}> {
  const { repository } = run.context;
  const { ledgerRef } = run.inputs;
  const prefix = ledgerRef?.replace("refs/", "") ?? "docs-agent/";
  const listed = await ask.read(({ refs }) => refs.list({ repository, prefix }));
  if (listed.type !== "known") return { ledgers: listed, pullLinks: [], abandoned: [] };
  const names = listed.value.map(({ ref }) => ref);
  const abandoned = names.filter((ref) => isTrial(ref, ledgerRef) && ref !== trial.ref);
  const ofUpkeep = listed.value.filter(({ ref }) =>
    ledgerRef === null ? ref.startsWith("refs/docs-agent/upkeep/") : ref === ledgerRef,
  );
  const ages: LedgerAge[] = [];
  const pullLinks: string[] = [];
  let others = 0;
  for (const { ref, object } of ofUpkeep.slice(0, MOST_LEDGERS)) {
    const read = await readLedger(ask, repository, object.sha);
    if (read.type !== "known") return { ledgers: read, pullLinks: [], abandoned };
    const { links, age, isOfUpkeep } = read.value;
    pullLinks.push(...links);
    if (!isOfUpkeep) others += 1;
    else if (age !== null) ages.push({ ref, ...age });
  }
  const ledgers = known({ ages, unread: ofUpkeep.length - others - ages.length });
  return { ledgers, pullLinks, abandoned };
}

async function readLedger(
  ask: GitHubAsker,
  repository: string,
  sha: string,
): Promise<
  Fact<{
    readonly links: readonly string[];
    /** False only of another action's. */
    readonly isOfUpkeep: boolean;
    /** Null if it cannot be read. */
    readonly age: Omit<LedgerAge, "ref"> | null;
  }>
> {
  const file = await ask.read(({ git }) => git.file({ repository, path: "ledger.json", ref: sha }));
  if (file.type === "unread") return file;
  const text = file.type === "known" ? file.value : null;
  const links = parseAgent(text).links.toReversed();
  const { action } = fieldsOf(text);
  if (typeof action === "string" && action !== "upkeep") {
    return known({ links, isOfUpkeep: false, age: null });
  }
  const own = await ask.read((github) => new HistoryReader(github, repository).commit(sha));
  if (own.type === "unread") return own;
  const watched = sources.safeParse(fieldsOf(text)).data?.sources ?? [];
  const writtenAt = own.type === "known" ? Date.parse(own.value.committedAt) : Number.NaN;
  if (Number.isNaN(writtenAt) || watched.length === 0) {
    return known({ links, isOfUpkeep: true, age: null });
  }
  const isSilent = ask.now - writtenAt > SILENT;
  const isBehind = isSilent ? await hasChanged(ask, watched, writtenAt) : known(false);
  const mayBePaused = isBehind.type === "known" && isBehind.value;
  const closedDashboard = mayBePaused ? await readClosed(ask, repository, text) : ABSENT;
  return known({ links, isOfUpkeep: true, age: { writtenAt, isBehind, closedDashboard } });
}

/** The dashboard of a ledger, if a person closed it. @param text the ledger */
async function readClosed(
  ask: GitHubAsker,
  repository: string,
  text: string | null,
): Promise<Fact<number>> {
  const { data } = z.object({ dashboard: z.object({ number: z.int() }) }).safeParse(fieldsOf(text));
  if (data === undefined) return ABSENT;
  const { number } = data.dashboard;
  const issue = await ask.read(({ issues }) => issues.get({ repository, number }));
  if (issue.type !== "known") return issue;
  const { state, closed_by } = issue.value;
  // Upkeep opens what a bot closed.
  return state === "closed" && closed_by?.type !== "Bot" ? known(number) : ABSENT;
}

/** Whether one of some branches has changed since a time. One that was not read says nothing about that. */
async function hasChanged(
  ask: GitHubAsker,
  watched: readonly { repository: string; branch: string }[],
  since: number,
): Promise<Fact<boolean>> {
  let unread: Unread | null = watched.length > MOST_SOURCES ? TOO_MANY_SOURCES : null;
  for (const { repository, branch } of watched.slice(0, MOST_SOURCES)) {
    const tip = await ask.read((github) => new HistoryReader(github, repository).commit(branch));
    if (tip.type === "known" && Date.parse(tip.value.committedAt) > since) return known(true);
    if (tip.type === "unread") unread ??= tip;
    if (tip.type === "absent") unread ??= NOT_FOUND;
  }
  return unread ?? known(false);
}

const NOT_FOUND: Unread = {
  type: "unread",
  cause: "refused",
  reason: "a branch that it watches was not found",
  isPassing: false,
  status: 404,
};

const TOO_MANY_SOURCES: Unread = {
  type: "unread",
  cause: "incomplete",
  reason: "it watches more branches than are read",
  isPassing: false,
  status: null,
};
