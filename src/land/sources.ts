import { recentComments } from "../github/comments.ts";
import { jobMarkers } from "../github/job-marker.ts";
import { explainRefusal } from "../github/refusal.ts";
import { parseDocsPulls } from "../ledger/model/ledger.ts";
import { answered } from "../ledger/protocol/store.ts";
import { ActionError } from "../runtime/errors.ts";
import { safeLink } from "../text/link.ts";
import type { LandRun } from "./land-run.ts";
import { type KnownPull, type LandEdit, type LandLedger, newEntry } from "./ledger.ts";
import { readJob } from "./read.ts";

const DAY = 24 * 60 * 60_000;
/** How far back a first run reads comments, in milliseconds. */
const FIRST_COMMENTS = 30 * DAY;
/** After how long it is written down up to where comments were read, if nothing else is, in milliseconds. */
const COMMENTS_KEPT = DAY;
/** How long a job that the service does not know may be one that it has just taken, in milliseconds. */
const UNKNOWN_GRACE = 10 * 60_000;

/** What a run finds out once about docs pull requests, however often it decides. */
export interface Found {
  known: KnownPull[];
  jobs: LandLedger["jobs"];
  ledgers: LandLedger["ledgers"];
  /** GitHub's time when comments were read. */
  commentsFrom: string;
}

/**
 * Finds the docs pull requests that are new since the last run.
 *
 * @throws ActionError `github-unavailable`; what polls throw
 */
export async function findPulls(ledger: LandLedger, now: number, run: LandRun): Promise<Found> {
  const ledgers = await readLedgers(ledger, run);
  const told = await readComments(ledger, now, run);
  const isKnown = new Set(ledger.open.map(({ jobId }) => jobId));
  const asked = new Map([...ledger.jobs, ...told].map((job) => [job.id, job]));
  const known = ledgers.known;
  const jobs: LandLedger["jobs"] = [];
  for (const job of asked.values()) {
    if (isKnown.has(job.id)) continue;
    const { state, prLink } = await readJob(job.id, run);
    const url = safeLink(prLink ?? "");
    const mayBeYoung = state === "unknown" && now - Date.parse(job.at) < UNKNOWN_GRACE;
    if (url !== null) {
      known.push({ url, jobId: job.id, changes: [], askedAt: job.askedAt, codePull: "" });
    } else if (state === "active" || state === "unread" || mayBeYoung) jobs.push(job);
  }
  return { known, jobs, ledgers: ledgers.shas, commentsFrom: new Date(now).toISOString() };
}

async function readLedgers(ledger: LandLedger, { ref, store, project }: LandRun) {
  const shas: Record<string, string> = {};
  const known: KnownPull[] = [];
  const { refs } = await answered(ref.listRefs("docs-agent/"));
  for (const { ref: name, sha } of refs) {
    if (name === store.options.ref || name.startsWith("refs/docs-agent/land/")) continue;
    shas[name] = sha;
    if (ledger.ledgers[name] === sha) continue;
    const { text } = await answered(ref.readFile(sha, "ledger.json"));
    for (const { prLink, jobId, changes, codePull } of parseDocsPulls(text, project)) {
      const merged = changes.filter((it) => it.kind === "change");
      known.push({ url: prLink, jobId, changes: merged, askedAt: "", codePull });
    }
  }
  return { shas, known };
}

/** The jobs of status comments that were written since. */
async function readComments(
  { commentsFrom }: LandLedger,
  now: number,
  { repository, inputs: { keys, projectId }, connect }: LandRun,
): Promise<LandLedger["jobs"]> {
  const markers = jobMarkers(keys, projectId);
  const since = Date.parse(commentsFrom) || now - FIRST_COMMENTS;
  const jobs: LandLedger["jobs"] = [];
  try {
    for await (const { comments } of recentComments(await connect(), repository, since)) {
      for (const { id, body, url, issue, updatedAt } of comments) {
        const marker = markers.read(body, { repository, issue }, id);
        // Jobs of version 1 take no follow-ups.
        if (marker?.request !== "accepted" || marker.job === "" || marker.api !== "v2") continue;
        const at = new Date(updatedAt).toISOString();
        jobs.push({ id: marker.job, askedAt: safeLink(url) ?? "", at });
      }
    }
  } catch (error) {
    const { why } = explainRefusal(error, "issues: write");
    const what = `The repository's comments could not be read: ${why}.`;
    throw new ActionError("github-unavailable", what, "Nothing was changed.", { cause: error });
  }
  return jobs;
}

/** Writes down what was found. */
export function takeFound(edit: LandEdit, { known, jobs, ledgers, commentsFrom }: Found): void {
  const { ledger } = edit;
  const isOver = new Set(ledger.ended.map(({ url }) => url));
  const age = Date.parse(commentsFrom) - (Date.parse(ledger.commentsFrom) || 0);
  const fields = { jobs, ledgers: { ...ledger.ledgers, ...ledgers } };
  const isNew =
    JSON.stringify(fields) !== JSON.stringify({ jobs: ledger.jobs, ledgers: ledger.ledgers });
  edit.change(isNew || known.length > 0 || age > COMMENTS_KEPT ? { ...fields, commentsFrom } : {});
  for (const it of known) {
    if (isOver.has(it.url)) continue;
    const before = edit.entry(it.url);
    if (before === undefined) {
      edit.change({ open: [...edit.ledger.open, newEntry(it, edit.now)] }, `Found ${it.url}`);
    } else if (it.changes.length > 0) {
      edit.changeEntry(it.url, { jobId: it.jobId, changes: it.changes, codePull: it.codePull });
    }
  }
}
