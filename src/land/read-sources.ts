/** Where docs pull requests are found: in the ledgers of other actions, and in status comments. */

import { parseExcerpt } from "../batches/model/excerpts.ts";
import {
  jobMarkers,
  NOT_ALL_COMMENTS,
  recentJobs,
  unreadComments,
} from "../github/conversation/job-marker.ts";
import { timeText } from "../ledger/file.ts";
import { listLedgerRefs } from "../ledger/store.ts";
import { once } from "../runtime/dependencies.ts";
import { safeLink } from "../text/link.ts";
import type { LandRun } from "./land-run.ts";
import type { AskedJob, FoundPull, LandLedger } from "./ledger.ts";

/** Another action's ledger at a commit. */
export interface OtherLedger {
  readonly ref: string;
  readonly sha: string;
  /** Its open docs pull requests. */
  readonly pulls: readonly FoundPull[];
  /** How many requests it sent to the agent, by day. */
  readonly requests: LandLedger["requests"][string];
}

export interface OtherLedgers {
  /** The refs that `ledgers` names and that do not exist. */
  readonly missingRefs: readonly string[];
  /** Whether there is any ledger of another action. */
  readonly areAny: boolean;
  /** Those that have changed. */
  readonly changed: readonly OtherLedger[];
  /** Those that land cannot use. `problem`: the rest of a sentence about its ref. */
  readonly unusable: readonly { readonly ref: string; readonly problem: string }[];
}

/** Lists the ledgers of other actions once, and reads each at most once. */
export function otherLedgersReader(
  run: LandRun,
): (known: LandLedger["ledgers"]) => Promise<OtherLedgers> {
  const list = once(() => listLedgers(run));
  const read = new Map<string, Awaited<ReturnType<typeof readLedger>>>();
  return async (known) => {
    const refs = await list();
    const others = refs.filter(({ ref }) => !isLands(ref, run));
    const missingRefs = run.inputs.ledgers.filter(
      (named) => !refs.some(({ ref }) => ref === named),
    );
    const changed: OtherLedger[] = [];
    const unusable: OtherLedgers["unusable"][number][] = [];
    for (const other of others) {
      if (known[other.ref] === other.sha) continue;
      const ledger = read.get(other.ref) ?? (await readLedger(other, run));
      read.set(other.ref, ledger);
      if ("problem" in ledger) unusable.push(ledger);
      else changed.push(ledger);
    }
    return { missingRefs, areAny: others.length > 0, changed, unusable };
  };
}

function isLands(ref: string, { store }: LandRun): boolean {
  return ref === store.options.ref || ref.startsWith("refs/docs-agent/land/");
}

/** The ledgers below `refs/docs-agent/`, and those that the inputs name. */
async function listLedgers({ store, inputs }: LandRun) {
  const refs = await listLedgerRefs(store.git);
  for (const named of inputs.ledgers) {
    if (refs.some(({ ref }) => ref === named)) continue;
    const alike = await store.git.listRefs(named.replace("refs/", ""));
    refs.push(...alike.filter(({ ref }) => ref === named));
  }
  return refs;
}

async function readLedger(
  { ref, sha }: { readonly ref: string; readonly sha: string },
  { store, project }: LandRun,
): Promise<OtherLedger | OtherLedgers["unusable"][number]> {
  const text = await store.git.readFile(sha, "ledger.json");
  const excerpt = parseExcerpt(text, project);
  if ("problem" in excerpt) return { ref, problem: excerpt.problem };
  const pulls = excerpt.pulls.map(({ prLink, jobId, changes, codePull }) => ({
    url: prLink,
    jobId,
    changes: changes.filter((change) => change.kind === "change"),
    askedAt: null,
    codePull,
  }));
  return { ref, sha, pulls, requests: excerpt.requests };
}

/**
 * The jobs of status comments that were edited since a time, and when the reading began, by GitHub's time, both in
 * milliseconds since 1970. Jobs of version 1 accept no follow-ups.
 */
export async function readAskedJobs(
  since: number,
  run: LandRun,
): Promise<{ readonly jobs: readonly AskedJob[]; readonly readAt: number }> {
  const { connect, inputs, store, dependencies } = run;
  const { now: readAt } = store;
  const markers = jobMarkers(inputs.keys, inputs.projectId);
  const recent = await recentJobs(connect, run, markers, since);
  if (recent.type === "unread") throw unreadComments(recent);
  if (!recent.value.isComplete) dependencies.log.warning(NOT_ALL_COMMENTS);
  const jobs = recent.value.comments
    .filter(({ marker }) => marker.api === "v2")
    .map(({ url, updatedAt, marker }) => {
      const at = timeText(updatedAt);
      const doubts = { missingSince: null, withoutPullSince: null };
      return { id: marker.job, askedAt: safeLink(url), at, ...doubts };
    });
  return { jobs, readAt };
}
