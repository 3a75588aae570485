/** Finds docs pull requests, and reads the facts about them: from GitHub, the job, and the preview's build. */

import { parseExcerpt } from "../batches/model/excerpts.ts";
import { chunks } from "../batches/model/names.ts";
import { jobMarkers, recentJobs } from "../github/conversation/job-marker.ts";
import { hasEnded } from "../job/poll.ts";
import { timeText, unchanged } from "../ledger/file.ts";
import { type Head, listLedgerRefs } from "../ledger/store.ts";
import { inParallel } from "../runtime/dependencies.ts";
import { cancelledRun } from "../runtime/errors.ts";
import { ServiceError } from "../service/errors.ts";
import { safeLink } from "../text/link.ts";
import type { AskedJobFacts, JobFacts, LandFacts, OtherLedger, PullReading } from "./facts.ts";
import type { AskedJob, Entry, LandLedger } from "./ledger.ts";
import { readPull } from "./read-pull.ts";
import { readingWarnings, type UnusableLedger } from "./reading-warnings.ts";
import { addFromLedgers, addFromSources, commentsSince, jobsToPoll } from "./revision.ts";
import { ALL_DONE_RECORDED, type LandRun, PULLS_AT_ONCE } from "./run.ts";

/** How many parts of the docs pull requests are read at the same time, and how many of its jobs are polled. */
const PARTS_AT_ONCE = 2;
const POLLS_AT_ONCE = 4;

/** @throws ActionError `github-unavailable`, and the errors of polls */
export async function readFacts({ ledger }: Head<LandLedger>, run: LandRun): Promise<LandFacts> {
  const { now: readAt } = run.store;
  const refs = await listLedgers(run);
  const others = refs.filter((ledgerRef) => !isLands(ledgerRef, run));
  const read = await readChanged(others, ledger, run);
  const ledgers = read.filter((other) => "pulls" in other);
  const jobs = await pollJobs(ledger, ledgers, readAt, run);
  const sources = { readAt, ledgers, jobs };
  // The plan adds the same ones.
  const known = addFromSources(unchanged(ledger), sources, readAt).ledger;
  const parts = chunks(known.open, PULLS_AT_ONCE);
  const readings = await inParallel(parts, PARTS_AT_ONCE, (entries) => readPulls(entries, run));
  const pulls = new Map(readings.flat());
  const found = {
    missingRefs: run.inputs.ledgers.filter((named) => !refs.some(({ ref }) => ref === named)),
    areAny: others.length > 0,
    unusable: read.filter((other) => "problem" in other),
  };
  return { sources, pulls, warnings: readingWarnings(found, known, pulls, run.repository) };
}

interface LedgerRef {
  readonly ref: string;
  readonly sha: string;
}

function isLands({ ref }: LedgerRef, { store }: LandRun): boolean {
  return ref === store.options.ref || ref.startsWith("refs/docs-agent/land/");
}

/** The ledgers below `refs/docs-agent/`, and those that the inputs name. */
async function listLedgers({ store, inputs }: LandRun): Promise<LedgerRef[]> {
  const refs = await listLedgerRefs(store.git);
  for (const named of inputs.ledgers) {
    if (refs.some(({ ref }) => ref === named)) continue;
    const alike = await store.git.listRefs(named.replace("refs/", ""));
    refs.push(...alike.filter(({ ref }) => ref === named));
  }
  return refs;
}

/** Reads the ledgers that have changed. */
async function readChanged(
  refs: readonly LedgerRef[],
  { ledgers }: LandLedger,
  { store, project }: LandRun,
): Promise<(OtherLedger | UnusableLedger)[]> {
  const changed: (OtherLedger | UnusableLedger)[] = [];
  for (const { ref, sha } of refs) {
    if (ledgers[ref] === sha) continue;
    const text = await store.git.readFile(sha, "ledger.json");
    const excerpt = parseExcerpt(text, project);
    if ("problem" in excerpt) {
      changed.push({ ref, problem: excerpt.problem });
      continue;
    }
    const pulls = excerpt.pulls.map(({ prLink, jobId, changes, codePull }) => ({
      url: prLink,
      jobId,
      changes: changes.filter((change) => change.kind === "change"),
      askedAt: null,
      codePull,
    }));
    changed.push({ ref, sha, pulls, requests: excerpt.requests });
  }
  return changed;
}

/** Polls the jobs of status comments, if no docs pull request of theirs is known. */
async function pollJobs(
  ledger: LandLedger,
  ledgers: readonly OtherLedger[],
  readAt: number,
  run: LandRun,
): Promise<AskedJobFacts[]> {
  const { connect, inputs } = run;
  const markers = jobMarkers(inputs.keys, inputs.projectId);
  const since = commentsSince(ledger, readAt);
  const { comments } = await recentJobs(connect, run, markers, since);
  const commented = comments
    // Jobs of version 1 accept no follow-ups.
    .filter(({ marker }) => marker.api === "v2")
    .map(({ url, updatedAt, marker }): AskedJob => {
      return { id: marker.job, askedAt: safeLink(url), at: timeText(updatedAt) };
    });
  const known = addFromLedgers(unchanged(ledger), ledgers, readAt).ledger;
  const polled: AskedJobFacts[] = [];
  for (const job of jobsToPoll(known, commented)) {
    polled.push({ job, poll: await readJob(job.id, run) });
  }
  return polled;
}

/** Polls a docs pull request's job. @throws the errors of {@link SinglePolls} */
async function readJob(id: string, { polls, agent }: LandRun): Promise<JobFacts> {
  const job = await polls.poll(agent, id);
  if (job === null) return { state: "unread", prLink: null };
  if (job instanceof ServiceError) return { state: "unknown", prLink: null };
  const prLink = job.prLink ? safeLink(job.prLink) : null;
  return { state: hasEnded(job) ? "ended" : "active", prLink };
}

/** Reads several, so that one request asks GitHub about all of them. @throws the errors of polls */
async function readPulls(
  entries: readonly Entry[],
  run: LandRun,
): Promise<[string, PullReading][]> {
  if (run.dependencies.cancellation.stop.aborted) throw cancelledRun(ALL_DONE_RECORDED);
  const jobs = await inParallel(entries, POLLS_AT_ONCE, ({ jobId }) => readJob(jobId, run));
  const asker = await run.asker();
  return await Promise.all(
    entries.map(async (entry, nth): Promise<[string, PullReading]> => {
      const job = jobs[nth] ?? { state: "unread", prLink: null };
      return [entry.url, await readPull(entry, job, asker, run)];
    }),
  );
}
