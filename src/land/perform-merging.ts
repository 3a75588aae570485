/** The acts that take a docs pull request to its base: they count only for the head that was judged. */

import {
  type AnsweredCall,
  explainRefusal,
  hasStatus,
  type Refusal,
  type TokenPermissions,
} from "../github/api/refusal.ts";
import { owned } from "../github/api/rest.ts";
import { History } from "../github/changes/history.ts";
import type { Pull } from "../github/changes/history-records.ts";
import { inlineCode } from "../text/markdown.ts";
import { clause } from "../text/sentence.ts";
import type { Enqueue, LandResult, Merge, PullPlace, Update } from "./acts.ts";
import type { LandRun } from "./run.ts";
import { PullWrites } from "./writes.ts";

const PULL = "/repos/{owner}/{repo}/pulls/{number}";
const PERMISSIONS: TokenPermissions = ["contents: write", "pull-requests: write"];
const ENQUEUE = `mutation ($pull: ID!, $head: GitObjectID!) {
  enqueuePullRequest(input: { pullRequestId: $pull, expectedHeadOid: $head }) { clientMutationId }
}`;

/** What GitHub says if somebody has pushed to the branch or the base meanwhile, or another request was first. */
const MOVED = /branch was modified|expected.head.(sha|oid)|already in progress/i;

/** Only another token may merge what changes a workflow. */
const WORKFLOW = /refusing to allow/i;
/** Statuses of REST's answers whose message says what a person has to know. */
const SAID = [405, 422];

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

async function merge(act: Merge, run: Run): Promise<LandResult> {
  const { place, sha, method: merge_method } = act;
  try {
    const github = await run.connect();
    await github.request(`PUT ${PULL}/merge`, { ...parametersOf(place), sha, merge_method });
    return { type: "merged" };
  } catch (error) {
    const refusal = explainRefusal(error, PERMISSIONS);
    const answer = answerOf(refusal);
    if (answer === null) {
      return await resultOfLost(place, refusal, run, {
        done: "merged it",
        undone: "did not merge it",
        resultIn: ({ mergedAt, head }) =>
          mergedAt !== null && head === sha ? { type: "merged" } : null,
      });
    }
    return refusedResult(act, answer, "be merged");
  }
}

/** What was asked of GitHub. */
interface Asked {
  /** The ends of sentences about GitHub. */
  done: string;
  undone: string;
  /** What the state of the pull request says; null if it was not done. */
  resultIn: (pull: Pull) => LandResult | null;
}

/** The result of a request whose answer was lost: GitHub may have done it. */
async function resultOfLost(
  place: PullPlace,
  { type, reason }: Refusal,
  run: Run,
  { done, undone, resultIn }: Asked,
): Promise<LandResult> {
  const writes = new PullWrites(run);
  // A rate limit affects all further requests, too.
  if (type === "limited") {
    writes.info(place, `GitHub ${undone}: ${reason}. The next run tries again.`);
    return { type: "not-done" };
  }
  try {
    const history = new History(await run.connect(), place.repository);
    const result = resultIn(await history.pull(place.number));
    if (result !== null) return result;
    writes.info(place, `GitHub ${undone}: ${reason}. The next run tries again.`);
  } catch (error) {
    const state = explainRefusal(error, PERMISSIONS).reason;
    writes.info(place, `Whether GitHub ${done} could not be read: ${state}.`);
  }
  return { type: "not-done" };
}

async function enqueue(act: Enqueue, run: Run): Promise<LandResult> {
  const { pullId: pull, sha: head } = act;
  try {
    const github = await run.connect();
    await github.graphql(ENQUEUE, { pull, head });
    return { type: "queued", head };
  } catch (error) {
    const answer = answerOf(explainRefusal(error, PERMISSIONS));
    // The next run sees whether it is in the queue.
    if (answer === null) return { type: "not-done" };
    return refusedResult(act, answer, "be put into the merge queue");
  }
}

async function update(act: Update, run: Run): Promise<LandResult> {
  const { place, sha } = act;
  try {
    const github = await run.connect();
    const asked = { ...parametersOf(place), expected_head_sha: sha };
    await github.request(`PUT ${PULL}/update-branch`, asked);
    return { type: "updated", head: sha };
  } catch (error) {
    const refusal = explainRefusal(error, PERMISSIONS);
    const answer = answerOf(refusal);
    if (answer === null) {
      return await resultOfLost(place, refusal, run, {
        done: "updated its branch",
        undone: "did not update its branch",
        resultIn: ({ head }) => (head === sha ? null : { type: "updated", head: sha }),
      });
    }
    return refusedResult(act, answer, "be brought up to date with its base");
  }
}

function parametersOf(place: PullPlace) {
  return { ...owned(place), number: place.number };
}

/** GitHub's answer, if it is no; null if GitHub may have done it, or could not do it for now. */
function answerOf(refusal: Refusal): AnsweredCall | null {
  switch (refusal.type) {
    case "unanswered":
    case "limited":
      return null;
    case "rest":
      return refusal.isPassing ? null : refusal;
    case "graphql":
      return refusal;
  }
}

/** @param verb what could not be done */
function refusedResult(
  { circumstances }: Merge | Enqueue | Update,
  answer: AnsweredCall,
  verb: string,
): LandResult {
  const { message, reason } = answer;
  if (hasStatus(answer, 409) || MOVED.test(message)) return { type: "overtaken" };
  const isSaid =
    answer.type === "graphql" || SAID.includes(answer.status) || WORKFLOW.test(message);
  const words = isSaid ? `GitHub says ${inlineCode(message) || "no reason"}` : reason;
  const text = `It could not ${verb}: ${clause(words)}.`;
  return { type: "unmergeable", reason: text, circumstances };
}
