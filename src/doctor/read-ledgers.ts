/** Reads when the ledgers of upkeep were written last, and which trial refs killed runs left. */

import * as z from "zod/mini";
import { parseAgent } from "../batches/model/excerpts.ts";
import type { GitHub } from "../github/api/client.ts";
import { HistoryReader } from "../github/changes/history-reader.ts";
import { fieldsOf } from "../ledger/file.ts";
import { TRIAL_REFS } from "../ledger/store.ts";
import { type Fact, known } from "../runtime/fact.ts";
import type { GitHubAsker } from "./ask.ts";
import type { LedgerAge, Ledgers } from "./facts.ts";
import type { DoctorRun } from "./run.ts";
import type { SavedTrial } from "./trial-ref.ts";

/** Maximum number of ledgers whose age is read. */
const MOST_LEDGERS = 2;

const sources = z.object({
  sources: z.array(z.object({ repository: z.string(), branch: z.string() })),
});

/** @param trial this run's own, which its post step deletes if this run could not */
export async function readLedgers(
  ask: GitHubAsker,
  trial: SavedTrial,
  run: DoctorRun,
): Promise<{
  ledgers: Fact<Ledgers>;
  /** Addresses of the agent's pull requests, not checked. */
  pullLinks: string[];
  /** Trial refs that are not this run's own. */
  abandoned: string[];
}> {
  const { repository } = run.context;
  const prefix = "docs-agent/";
  const listed = await ask.read(({ refs }) => refs.list({ repository, prefix }));
  if (listed.type !== "known") return { ledgers: listed, pullLinks: [], abandoned: [] };
  const refs = listed.value;
  const trials = refs.map(({ ref }) => ref).filter((ref) => ref.startsWith(TRIAL_REFS));
  const abandoned = trials.filter((ref) => ref !== trial.ref);
  const upkeeps = refs.filter(({ ref }) => ref.startsWith("refs/docs-agent/upkeep/"));
  const ages: LedgerAge[] = [];
  const pullLinks: string[] = [];
  for (const { ref, object } of upkeeps.slice(0, MOST_LEDGERS)) {
    const read = await ask.read((github) => readLedger(github, repository, object.sha));
    if (read.type !== "known") return { ledgers: read, pullLinks: [], abandoned };
    const { links, writtenAt, changedAt } = read.value;
    pullLinks.push(...links);
    if (writtenAt !== null && changedAt !== null) ages.push({ ref, writtenAt, changedAt });
  }
  const ledgers = known({ ages, unread: upkeeps.length - ages.length });
  return { ledgers, pullLinks, abandoned };
}

/** What is read of a ledger. */
async function readLedger(
  github: GitHub,
  repository: string,
  sha: string,
): Promise<
  Fact<{
    links: readonly string[];
    /** When it was changed last; null if that is not known. */
    writtenAt: number | null;
    /** The same of its first source. */
    changedAt: number | null;
  }>
> {
  const file = await github.git.file({ repository, path: "ledger.json", ref: sha });
  if (file.type === "unread") return file;
  const text = file.type === "known" ? file.value : null;
  const links = parseAgent(text).links.toReversed();
  const [source] = sources.safeParse(fieldsOf(text)).data?.sources ?? [];
  const written = await new HistoryReader(github, repository).commit(sha);
  if (written.type === "unread") return written;
  if (source === undefined || written.type === "absent") {
    return known({ links, writtenAt: null, changedAt: null });
  }
  const changed = await new HistoryReader(github, source.repository).commit(source.branch);
  if (changed.type === "unread") return changed;
  const changedAt = changed.type === "known" ? timeOf(changed.value) : 0;
  return known({ links, writtenAt: timeOf(written.value), changedAt });
}

/** Milliseconds since 1970; 0 if GitHub's time cannot be read. */
function timeOf({ committedAt }: { committedAt: string }): number {
  return Date.parse(committedAt) || 0;
}
