/** What is read of a ledger or its history without the whole of it. */

import * as z from "zod/mini";
import {
  type AgentTraces,
  agentTraces,
  repositoryIdIn,
} from "../../github/changes/change-details.ts";
import { fieldsOf, parseLedger } from "../../ledger/file.ts";
import { batchFormat } from "./format.ts";
import { type Change, historyLine } from "./ledger.ts";

/** The agent's pull requests and branches in a ledger of any action or version. */
export function parseAgent(text: string | null): AgentTraces {
  const { data } = z.object({ agent: agentTraces }).safeParse(fieldsOf(text));
  return data?.agent ?? { links: [], branches: [] };
}

/**
 * An excerpt of another action's ledger: the open docs pull requests, and how many requests went out by day. It is
 * empty if the ledger belongs to another project, or is not one of upkeep or queue.
 *
 * @returns a problem if it cannot be read: the rest of a sentence that begins with the ref
 */
export function parseExcerpt(text: string | null, project: string) {
  const { version, action, project: itsProject } = fieldsOf(text);
  const isLedger = typeof version === "number";
  const hasPulls = itsProject === project && (action === "upkeep" || action === "queue");
  if (text === null || (isLedger && !hasPulls)) return { pulls: [], requests: {} };
  const parsed = parseLedger(text, batchFormat({ action: String(action), project }), 0);
  if ("problem" in parsed) return parsed;
  const { reviews, drafts, sources, requests } = parsed.ledger;
  // `codePull`: the pull request that it drafts the documentation of, and the branch that it has to land on.
  const drafted = drafts.flatMap((draft) => {
    const [change] = draft.changes;
    const job = "job" in draft ? draft.job : null;
    if (job === null || job.prLink === null || change?.kind !== "change") return [];
    const changes: readonly Change[] = [change];
    const source = sources.find(({ id }) => id === repositoryIdIn(change.key));
    const codePull = { url: change.url, branch: source?.branch ?? null };
    return [{ prLink: job.prLink, jobId: job.id, changes, codePull }];
  });
  const reviewed = reviews.map(({ prLink, jobId, changes, others }) => {
    const all: readonly Change[] = [...changes, ...others];
    return { prLink, jobId, changes: all, codePull: null };
  });
  return { pulls: [...drafted, ...reviewed], requests };
}

const landEnds = z.object({
  ended: z.array(z.object({ url: z.string(), isByLand: z.boolean(), state: z.string() })),
});

/** The docs pull requests that a ledger of `land` says it closed; none for a ledger of another project or action. */
export function parseLandClosed(text: string | null, project: string): string[] {
  const fields = fieldsOf(text);
  if (fields.action !== "land" || fields.project !== project) return [];
  const { data } = landEnds.safeParse(fields);
  const ended = data?.ended ?? [];
  return ended.flatMap(({ url, state, isByLand }) => (isByLand && state === "closed" ? [url] : []));
}

/**
 * The drafts in a ledger of upkeep; none in any other.
 *
 * @param project whose ledger it has to be; null for any
 * @returns a problem if it cannot be read: the rest of a sentence that begins with the ref
 */
export function parseDrafts(text: string | null, project: string | null) {
  const { action, project: itsProject } = fieldsOf(text);
  const isOwn = project === null || itsProject === project;
  if (text === null || action !== "upkeep" || !isOwn) return { drafts: [] };
  const identity = { action, project: String(itsProject) };
  const parsed = parseLedger(text, batchFormat(identity), 0);
  return "problem" in parsed ? parsed : { drafts: parsed.ledger.drafts };
}

/** A line of the history as it is read: of its changes, only the keys are checked. */
export interface PastBatch {
  batch: string;
  state: string;
  jobId: string | null;
  prLink: string | null;
  changes: readonly { key: string }[];
}

/** The lines of a file in `history/`. An unreadable line is ignored. */
export function parseHistory(text: string): PastBatch[] {
  return text.split("\n").map(fieldsOf).filter(isLine);
}

/**
 * Checks the fields that are used. A schema would take longer than all else in a run of a queue that has worked through
 * hundreds of tasks.
 */
function isLine(fields: Record<string, unknown>): fields is typeof fields & PastBatch {
  const { batch, state, jobId, prLink, changes } = fields;
  return (
    typeof batch === "string" &&
    typeof state === "string" &&
    isTextOrNull(jobId) &&
    isTextOrNull(prLink) &&
    Array.isArray(changes) &&
    changes.every((change) => typeof change?.key === "string")
  );
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === "string";
}

/**
 * What finished batches say of a docs pull request: its job, and the changes that it documents. The changes go back
 * into the ledger, so a line with a change that the ledger could not hold counts as not there.
 */
export function documentedIn(
  lines: readonly PastBatch[],
  link: string,
): { jobId: string; changes: readonly Change[] } | null {
  const own = lines.filter(({ state, prLink }) => state === "done" && prLink === link);
  const whole = own.flatMap(({ jobId, changes }) => {
    const { data } = historyLine.shape.changes.safeParse(changes);
    return data === undefined ? [] : [{ jobId, changes: data }];
  });
  const jobId = whole.at(-1)?.jobId ?? null;
  return jobId === null ? null : { jobId, changes: whole.flatMap(({ changes }) => changes) };
}
