/** Reads when the ledgers of upkeep were written last, and which trial refs killed runs left. */

import * as z from "zod/mini";
import { parseAgent } from "../batches/model/excerpts.ts";
import type { GitRef } from "../github/api/git-ref.ts";
import type { TokenPermissions } from "../github/api/refusal.ts";
import { History } from "../github/changes/history.ts";
import { fieldsOf } from "../ledger/file.ts";
import { TRIAL_REFS } from "../ledger/store.ts";
import type { GitHubAsker } from "./ask.ts";
import type { LedgerAge, Ledgers, Reading } from "./facts.ts";
import type { DoctorRun } from "./run.ts";
import type { SavedTrial } from "./trial-ref.ts";

const PERMISSIONS: TokenPermissions = ["contents: read"];

/** Maximum number of ledgers whose age is read. */
const MOST_LEDGERS = 2;

const sources = z.object({
  sources: z.array(z.object({ repository: z.string(), branch: z.string() })),
});

interface LedgerAnswers {
  ledgers: Reading<Ledgers>;
  /** Addresses of the agent's pull requests, not checked. */
  pullLinks: string[];
  /** Trial refs that are not this run's own. */
  abandoned: string[];
}

/** @param trial this run's own, which its post step deletes if this run could not */
export async function readLedgers(
  ask: GitHubAsker,
  git: GitRef,
  trial: SavedTrial,
  run: DoctorRun,
): Promise<LedgerAnswers> {
  const listed = await ask.read(() => git.listRefs("docs-agent/"), PERMISSIONS);
  if (listed.type !== "read") return { ledgers: listed, pullLinks: [], abandoned: [] };
  const refs = listed.value;
  const trials = refs.map(({ ref }) => ref).filter((ref) => ref.startsWith(TRIAL_REFS));
  const abandoned = trials.filter((ref) => ref !== trial.ref);
  const upkeeps = refs.filter(({ ref }) => ref.startsWith("refs/docs-agent/upkeep/"));
  const read = await ask.read(async (github) => {
    const ages: LedgerAge[] = [];
    const pullLinks: string[] = [];
    for (const { ref, sha } of upkeeps.slice(0, MOST_LEDGERS)) {
      const text = await git.readFile(sha, "ledger.json");
      pullLinks.push(...parseAgent(text).links.toReversed());
      const [source] = sources.safeParse(fieldsOf(text)).data?.sources ?? [];
      const written = await new History(github, run.context.repository).commit(sha);
      if (source === undefined || written === undefined) continue;
      const changed = await new History(github, source.repository).commit(source.branch);
      ages.push({ ref, writtenAt: timeOf(written), changedAt: changed ? timeOf(changed) : 0 });
    }
    return { ages, pullLinks };
  }, PERMISSIONS);
  if (read.type !== "read") return { ledgers: read, pullLinks: [], abandoned };
  const { ages, pullLinks } = read.value;
  const value = { ages, unread: upkeeps.length - ages.length };
  return { ledgers: { type: "read", value }, pullLinks, abandoned };
}

/** Milliseconds since 1970; 0 if GitHub's time cannot be read. */
function timeOf({ committedAt }: { committedAt: string }): number {
  return Date.parse(committedAt) || 0;
}
