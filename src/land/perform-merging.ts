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
import { notSent } from "../runtime/delivery.ts";
import { inlineCode } from "../text/markdown.ts";
import { clause } from "../text/sentence.ts";
import { type ActOf, accepted, type LandDelivery, type LandValue, type PullPlace } from "./acts.ts";
import type { LandRun } from "./land-run.ts";
import { PullWrites } from "./pull-writes.ts";

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

export function performMerging(
  act: ActOf<"merge" | "enqueue" | "update">,
  run: Run,
): Promise<LandDelivery> {
  switch (act.type) {
    case "merge":
      return merge(act, run);
    case "enqueue":
      return enqueue(act, run);
    case "update":
      return update(act, run);
  }
}

async function merge(act: ActOf<"merge">, run: Run): Promise<LandDelivery> {
  const { place, head: sha, method: merge_method } = act;
  try {
    const github = await run.connect();
    await github.request(`PUT ${PULL}/merge`, { ...parametersOf(place), sha, merge_method });
    return accepted({ type: "merged" });
  } catch (error) {
    return await afterFailure(explainRefusal(error, PERMISSIONS), place, run, {
      done: "merged it",
      undone: "did not merge it",
      valueIn: ({ mergedAt, head }) =>
        mergedAt !== null && head === sha ? { type: "merged" } : null,
    });
  }
}

async function update(act: ActOf<"update">, run: Run): Promise<LandDelivery> {
  const { place, head: sha } = act;
  try {
    const github = await run.connect();
    const asked = { ...parametersOf(place), expected_head_sha: sha };
    await github.request(`PUT ${PULL}/update-branch`, asked);
    return accepted({ type: "updated", head: sha });
  } catch (error) {
    return await afterFailure(explainRefusal(error, PERMISSIONS), place, run, {
      done: "updated its branch",
      undone: "did not update its branch",
      valueIn: ({ head }) => (head === sha ? null : { type: "updated", head: sha }),
    });
  }
}

async function enqueue(act: ActOf<"enqueue">, run: Run): Promise<LandDelivery> {
  const { pullId: pull, head } = act;
  try {
    const github = await run.connect();
    await github.graphql(ENQUEUE, { pull, head });
    return accepted({ type: "queued", head });
  } catch (error) {
    const refusal = explainRefusal(error, PERMISSIONS);
    const answer = answerOf(refusal);
    if (answer !== null) return refused(answer);
    if (refusal.type === "limited") return { type: "limited" };
    // The next run sees whether it is in the queue.
    return { type: "uncertain", reason: refusal.reason, error: null };
  }
}

/** What was asked of GitHub. */
interface Asked {
  /** The ends of sentences about GitHub. */
  done: string;
  undone: string;
  /** What the state of the pull request says; null if it was not done. */
  valueIn: (pull: Pull) => LandValue | null;
}

/** What became of a request that failed. If its answer was lost, GitHub may have done it: its state says so. */
async function afterFailure(
  refusal: Refusal,
  place: PullPlace,
  run: Run,
  { done, undone, valueIn }: Asked,
): Promise<LandDelivery> {
  const answer = answerOf(refusal);
  if (answer !== null) return refused(answer);
  const { type, reason } = refusal;
  const writes = new PullWrites(run);
  // A rate limit affects all further requests, too.
  if (type === "limited") {
    writes.info(place, `GitHub ${undone}: ${reason}. The next run tries again.`);
    return { type: "limited" };
  }
  try {
    const history = new History(await run.connect(), place.repository);
    const value = valueIn(await history.pull(place.number));
    if (value !== null) return accepted(value);
    writes.info(place, `GitHub ${undone}: ${reason}. The next run tries again.`);
    return notSent("unreached");
  } catch (error) {
    const state = explainRefusal(error, PERMISSIONS).reason;
    writes.info(place, `Whether GitHub ${done} could not be read: ${state}.`);
    return { type: "uncertain", reason, error: null };
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

function refused(answer: AnsweredCall): LandDelivery {
  const { message, reason } = answer;
  if (hasStatus(answer, 409) || MOVED.test(message)) return notSent("changed");
  const isOfRight = WORKFLOW.test(message);
  const isSaid = answer.type === "graphql" || SAID.includes(answer.status) || isOfRight;
  const words = isSaid ? `GitHub says ${inlineCode(message) || "no reason"}` : reason;
  const error = { kind: "github-refused", problem: clause(words), advice: null } as const;
  const isState = isSaid && !isOfRight;
  return { type: "refused", by: isState ? "state" : "right", error };
}
