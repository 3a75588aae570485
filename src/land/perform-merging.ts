/** The acts that take a docs pull request to its base: they count only for the head that was judged. */

import type { GitHub } from "../github/api/client.ts";
import type { RefusedWrite, Sent } from "../github/api/explain.ts";
import { notSent } from "../runtime/delivery.ts";
import { inlineCode } from "../text/markdown.ts";
import { clause } from "../text/sentence.ts";
import { type ActOf, accepted, type LandDelivery, type LandValue, type PullPlace } from "./acts.ts";
import type { LandRun } from "./land-run.ts";
import { PullWrites, plainDelivery } from "./pull-writes.ts";

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
  const { repository, number } = place;
  const github = await run.connect();
  const titles = { commit_title: null, commit_message: null };
  const sent = await github.pulls.merge({ repository, number, sha, merge_method, ...titles });
  if (sent.type === "accepted") return accepted({ type: "merged" });
  return await afterFailure(sent, place, run, {
    done: "merged it",
    undone: "did not merge it",
    valueIn: ({ merged_at = null, head }) =>
      merged_at !== null && head.sha === sha ? { type: "merged" } : null,
  });
}

async function update(act: ActOf<"update">, run: Run): Promise<LandDelivery> {
  const { place, head: sha } = act;
  const { repository, number } = place;
  const github = await run.connect();
  const sent = await github.pulls.updateBranch({ repository, number, expected_head_sha: sha });
  if (sent.type === "accepted") return accepted({ type: "updated", head: sha });
  return await afterFailure(sent, place, run, {
    done: "updated its branch",
    undone: "did not update its branch",
    valueIn: ({ head }) => (head.sha === sha ? null : { type: "updated", head: sha }),
  });
}

async function enqueue(act: ActOf<"enqueue">, run: Run): Promise<LandDelivery> {
  const { pullId: pull, head } = act;
  const github = await run.connect();
  const sent = await github.pulls.enqueue({ pull, head });
  if (sent.type === "accepted") return accepted({ type: "queued", head });
  // If the answer was lost, the next run sees whether it is in the queue.
  return sent.type === "refused" ? refused(sent) : plainDelivery(sent);
}

type PullAnswer = Extract<Awaited<ReturnType<GitHub["pulls"]["get"]>>, { type: "known" }>["value"];

/** What was asked of GitHub. */
interface Asked {
  /** The ends of sentences about GitHub. */
  done: string;
  undone: string;
  /** What the state of the pull request says; null if it was not done. */
  valueIn: (pull: PullAnswer) => LandValue | null;
}

/** What became of a request that was not accepted. If its answer was lost, GitHub may have done it: its state says so. */
async function afterFailure(
  sent: Exclude<Sent<unknown>, { type: "accepted" }>,
  { repository, number, ...place }: PullPlace,
  run: Run,
  { done, undone, valueIn }: Asked,
): Promise<LandDelivery> {
  const writes = new PullWrites(run);
  const say = (text: string) => writes.info({ repository, number, ...place }, text);
  switch (sent.type) {
    case "refused":
      return refused(sent);
    case "limited":
      // A rate limit affects all further requests, too.
      say(`GitHub ${undone}: ${sent.reason}. The next run tries again.`);
      return plainDelivery(sent);
    case "not-sent":
      say(`GitHub ${undone}: ${clause(sent.error?.problem ?? "")}. The next run tries again.`);
      return sent;
    case "uncertain": {
      const github = await run.connect();
      const pull = await github.pulls.get({ repository, number });
      if (pull.type !== "known") {
        const reason = pull.type === "unread" ? pull.reason : "it was not found";
        say(`Whether GitHub ${done} could not be read: ${reason}.`);
        return sent;
      }
      const value = valueIn(pull.value);
      if (value !== null) return accepted(value);
      say(`GitHub ${undone}: ${sent.reason}. The next run tries again.`);
      return notSent("unreached");
    }
  }
}

function refused({ status, message, error, by }: RefusedWrite): LandDelivery {
  if (status === 409 || MOVED.test(message)) return notSent("changed");
  const isOfRight = WORKFLOW.test(message);
  const isSaid = status === null || SAID.includes(status) || isOfRight;
  const words = isSaid ? `GitHub says ${inlineCode(message) || "no reason"}` : error.problem;
  const said = { kind: error.kind, problem: clause(words), advice: error.advice };
  return { type: "refused", by: isOfRight ? "right" : by, error: said };
}
