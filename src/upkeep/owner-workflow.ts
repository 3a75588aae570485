/**
 * Only one job of one workflow file may use a ledger: changes that one with other filters passes over would be lost to
 * the other. The ledger holds which one keeps it.
 */

import { isDeepStrictEqual } from "node:util";
import type { OwnerWorkflow } from "../batches/model/ledger.ts";
import type { BatchRevision } from "../batches/model/revision.ts";
import type { RunContext } from "../github/trigger/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { withFields } from "../ledger/file.ts";
import { ActionError, invalidInput } from "../runtime/errors.ts";
import type { Fact } from "../runtime/fact.ts";
import { linesOf } from "../text/sentence.ts";
import { shortHash } from "../text/short-hash.ts";

/** The inputs that decide what counts, with their defaults in upkeep/action.yml. */
export const FILTERS: Readonly<Record<string, string>> = {
  repositories: "",
  paths: "",
  "ignore-labels": "skip-docs",
  "only-labels": "",
  "ignore-authors": "dependabot[bot]\nrenovate[bot]\nmintlify[bot]",
  after: "merge",
  "release-tag": "",
};

/** The filters as the workflow gives them; without those at their defaults, which a newer version may change. */
export function givenFilters(read: ReadInput): OwnerWorkflow["filters"] {
  const given = Object.keys(FILTERS).map((name) => [name, linesOf(read(name)).join("\n")] as const);
  return Object.fromEntries(given.filter(([name, text]) => text !== FILTERS[name]));
}

/** What this run's job would be as the owner, before its file is read. */
export interface OwnJob {
  readonly workflow: string | null;
  readonly job: string | null;
  readonly commit: string | null;
  readonly filters: OwnerWorkflow["filters"];
  /** Whether it runs the file of the default branch. */
  readonly isOnDefaultBranch: boolean;
}

export function ownJob(
  filters: OwnerWorkflow["filters"],
  { workflow, job, sha, branch, eventName, payload }: RunContext,
): OwnJob {
  // A schedule runs on the default branch only.
  const isOnDefaultBranch =
    eventName === "schedule" || (branch !== null && payload.repository?.default_branch === branch);
  return { workflow, job, commit: sha, filters, isOnDefaultBranch };
}

/**
 * Decides who keeps the ledger after this run.
 *
 * @param isTaken whether a person wants this job to keep it
 * @param readFile reads a file of the default branch
 * @throws ActionError `invalid-input` if it is another job's, `github-unavailable` if that could not be read
 */
export async function decideOwner(
  owner: OwnerWorkflow | null,
  own: OwnJob,
  isTaken: boolean,
  readFile: (path: string) => Promise<Fact<string>>,
): Promise<OwnerWorkflow> {
  const hasSameFilters = owner !== null && isDeepStrictEqual(owner.filters, own.filters);
  if (hasSameFilters && !isTaken) {
    const isItsJob = owner.workflow === own.workflow && owner.job === own.job;
    if (!isItsJob || !own.isOnDefaultBranch || owner.commit === own.commit) return owner;
    const digest = await digestOf(own, readFile);
    return digest === null ? owner : { ...owner, commit: own.commit, digest };
  }
  const digest = await digestOf(own, readFile);
  const taken: OwnerWorkflow = {
    workflow: own.workflow,
    job: own.job,
    commit: own.isOnDefaultBranch ? own.commit : null,
    digest,
    filters: own.filters,
  };
  if (owner === null || isTaken) return taken;
  if (own.isOnDefaultBranch) {
    if (owner.workflow === own.workflow) {
      // A matrix has several legs in one job: its filters are edited in the file.
      const isEdited = digest !== null && digest !== owner.digest;
      if (owner.job === own.job && isEdited) return taken;
    } else if (owner.workflow !== null && (await isGone(owner.workflow, readFile))) return taken;
  }
  throw conflict(owner, own);
}

/** What the job's file says on the default branch; null if that is not known, or the run is on another branch. */
async function digestOf(
  { workflow, isOnDefaultBranch }: OwnJob,
  readFile: (path: string) => Promise<Fact<string>>,
): Promise<string | null> {
  if (workflow === null || !isOnDefaultBranch) return null;
  const file = await readFile(workflow);
  return file.type === "known" ? shortHash(file.value) : null;
}

/** @throws ActionError `github-unavailable` if it could not be read in passing */
async function isGone(path: string, readFile: (path: string) => Promise<Fact<string>>) {
  const file = await readFile(path);
  if (file.type !== "unread") return file.type === "absent";
  throw new ActionError(
    "github-unavailable",
    `Whether ${path} still keeps the ledger could not be read: ${file.reason}.`,
    "A later run reads it again.",
  );
}

export function takeOwner(revision: BatchRevision, owner: OwnerWorkflow): BatchRevision {
  const { ownerWorkflow } = revision.ledger;
  if (isDeepStrictEqual(ownerWorkflow, owner)) return revision;
  return withFields(revision, { ownerWorkflow: owner });
}

function conflict(owner: OwnerWorkflow, own: OwnJob): ActionError {
  const job = owner.job === null ? "" : `the job ${owner.job} of `;
  const keeper = `${job}${owner.workflow ?? "another workflow"}`;
  const other = Object.keys(FILTERS).filter((name) => owner.filters[name] !== own.filters[name]);
  return invalidInput(
    `name: this ledger is kept by ${keeper}, with other values of ${other.join(", ")}. Each would miss what ` +
      "the other passes over, so this run has read nothing. Set `name` to give this job a ledger of its own. If it " +
      "takes the place of the other one, or gets these values for good, run it by hand with `decisions: keep`.",
  );
}
