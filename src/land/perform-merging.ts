/** The acts that take a docs pull request to its base: they count only for the head that was judged. */

import { explainRefusal, type Refusal, type TokenPermissions } from "../github/api/refusal.ts";
import { owned } from "../github/api/rest.ts";
import { History } from "../github/changes/history.ts";
import { inlineCode } from "../text/markdown.ts";
import { clause } from "../text/sentence.ts";
import type { Enqueue, LandResult, Merge, PullPlace, Update } from "./acts.ts";
import type { LandRun } from "./run.ts";

const PULL = "/repos/{owner}/{repo}/pulls/{number}";
const PERMISSIONS: TokenPermissions = ["contents: write", "pull-requests: write"];
const ENQUEUE = `mutation ($pull: ID!, $head: GitObjectID!) {
  enqueuePullRequest(input: { pullRequestId: $pull, expectedHeadOid: $head }) { clientMutationId }
}`;

/** What GitHub says if somebody has pushed to the branch or the base meanwhile. */
const MOVED = /branch was modified|expected.head.(sha|oid)/i;

/** Only another token may merge what changes a workflow. */
const WORKFLOW = /refusing to allow/i;
/** Statuses of answers whose message says what a person has to know; 0 is GraphQL's. */
const SAID = [0, 405, 422];

type Run = Pick<LandRun, "connect" | "dependencies">;

export function performMerging(act: Merge | Enqueue | Update, run: Run): Promise<LandResult> {
  switch (act.type) {
    case "merge":
      return merge(act, run);
    case "enqueue":
      return enqueue(act, run);
    case "update":
      return update(act, run);
  }
}

async function merge({ place, sha, method: merge_method }: Merge, run: Run): Promise<LandResult> {
  try {
    const github = await run.connect();
    await github.request(`PUT ${PULL}/merge`, { ...parametersOf(place), sha, merge_method });
    return { type: "merged" };
  } catch (error) {
    const refusal = explainRefusal(error, PERMISSIONS);
    if (isLost(refusal)) return await resultOfLost(place, sha, refusal, run);
    return refusedResult(refusal, "be merged");
  }
}

/** GitHub may have merged it although its answer was lost. */
async function resultOfLost(
  place: PullPlace,
  sha: string,
  { reason }: Refusal,
  { connect, dependencies: { log } }: Run,
): Promise<LandResult> {
  try {
    const history = new History(await connect(), place.repository);
    const { mergedAt, head } = await history.pull(place.number);
    if (mergedAt !== null && head === sha) return { type: "merged" };
    log.info(`${place.url}: It could not be merged: ${reason}. The next run tries again.`);
  } catch (error) {
    const state = explainRefusal(error, PERMISSIONS).reason;
    log.info(`${place.url}: Whether it is merged could not be read: ${state}.`);
  }
  return { type: "not-done" };
}

async function enqueue({ pullId: pull, sha: head }: Enqueue, run: Run): Promise<LandResult> {
  try {
    const github = await run.connect();
    await github.graphql(ENQUEUE, { pull, head });
    return { type: "queued", head };
  } catch (error) {
    const refusal = explainRefusal(error, PERMISSIONS);
    // The next run sees whether it is in the queue.
    if (isLost(refusal)) return { type: "not-done" };
    return refusedResult(refusal, "be put into the merge queue");
  }
}

async function update({ place, sha }: Update, run: Run): Promise<LandResult> {
  try {
    const github = await run.connect();
    const asked = { ...parametersOf(place), expected_head_sha: sha };
    await github.request(`PUT ${PULL}/update-branch`, asked);
    return { type: "updated", head: sha };
  } catch (error) {
    const refusal = explainRefusal(error, PERMISSIONS);
    if (isLost(refusal)) return { type: "not-done" };
    return refusedResult(refusal, "be brought up to date with its base");
  }
}

function parametersOf(place: PullPlace) {
  return { ...owned(place), number: place.number };
}

/** Whether GitHub may have done it, or could not do it for now. */
function isLost({ isPassing, message, status }: Refusal): boolean {
  return isPassing && (status !== 0 || message === "");
}

/** @param verb what could not be done */
function refusedResult({ status, message, reason }: Refusal, verb: string): LandResult {
  if (status === 409 || MOVED.test(message)) return { type: "overtaken" };
  const isSaid = SAID.includes(status) || WORKFLOW.test(message);
  const words = isSaid ? `GitHub says ${inlineCode(message) || "no reason"}` : reason;
  return { type: "unmergeable", reason: `It could not ${verb}: ${clause(words)}.` };
}
