/** The acts that take a docs pull request to its base: they count only for the head that was judged. */

import type * as z from "zod/mini";
import type * as historyAnswers from "../github/api/answers/history.ts";
import type { Connect } from "../github/api/connect.ts";
import type { RefusedWrite, Sent } from "../github/api/explain.ts";
import { type Delivery, type NotSent, notSent } from "../runtime/delivery.ts";
import { inlineCode } from "../text/markdown.ts";
import { clause } from "../text/sentence.ts";
import { type ActOf, accepted, type LandValue, type PullPlace } from "./acts.ts";
import { isOfWorkflow, type PullWrites, plainDelivery, whatStandsAgainst } from "./pull-writes.ts";

/** What GitHub says if somebody has pushed to the branch or the base meanwhile, or another request was first. */
const MOVED = /branch was modified|expected.head.(sha|oid)|already in progress/i;

/** @param writes for its lines in the log */
export function performMerging(
  act: ActOf<"merge" | "enqueue" | "update">,
  connect: Connect,
  writes: PullWrites,
): Promise<Delivery<LandValue>> {
  switch (act.type) {
    case "merge":
      return merge(act, connect, writes);
    case "enqueue":
      return enqueue(act, connect);
    case "update":
      return update(act, connect, writes);
  }
}

async function merge(
  act: ActOf<"merge">,
  connect: Connect,
  writes: PullWrites,
): Promise<Delivery<LandValue>> {
  const { place, head: sha, method: merge_method, message } = act;
  const { repository, number } = place;
  const github = await connect();
  const titles = {
    commit_title: message?.title ?? null,
    commit_message: message?.body ?? null,
  };
  const sent = await github.pulls.merge({ repository, number, sha, merge_method, ...titles });
  if (sent.type === "accepted") return accepted({ type: "merged" });
  return await afterFailure(sent, place, connect, writes, {
    done: "merged it",
    undone: "did not merge it",
    valueIn: ({ merged_at = null, head }) =>
      merged_at !== null && head.sha === sha ? { type: "merged" } : null,
  });
}

async function update(
  act: ActOf<"update">,
  connect: Connect,
  writes: PullWrites,
): Promise<Delivery<LandValue>> {
  const { place, head: sha } = act;
  const { repository, number } = place;
  const github = await connect();
  const sent = await github.pulls.updateBranch({ repository, number, expected_head_sha: sha });
  if (sent.type === "accepted") return accepted({ type: "updated", head: sha });
  return await afterFailure(sent, place, connect, writes, {
    done: "updated its branch",
    undone: "did not update its branch",
    valueIn: ({ head }) => (head.sha === sha ? null : { type: "updated", head: sha }),
  });
}

async function enqueue(act: ActOf<"enqueue">, connect: Connect): Promise<Delivery<LandValue>> {
  const { pullId: pull, head } = act;
  const github = await connect();
  const sent = await github.pulls.enqueue({ pull, head });
  if (sent.type === "accepted") return accepted({ type: "queued", head });
  // If the answer was lost, the next run sees whether it is in the queue.
  return sent.type === "refused" ? refused(sent) : plainDelivery(sent);
}

/**
 * What became of a request that was not accepted. If its answer was lost, GitHub may have done it: its state says so.
 *
 * @param asked `done` and `undone`: the ends of sentences about GitHub; `valueIn`: what the state of the pull request
 * says, null if it was not done
 */
async function afterFailure(
  sent: Exclude<Sent<unknown>, { type: "accepted" }>,
  { repository, number, ...place }: PullPlace,
  connect: Connect,
  writes: PullWrites,
  asked: {
    done: string;
    undone: string;
    valueIn(pull: z.infer<typeof historyAnswers.pull>): LandValue | null;
  },
): Promise<Delivery<LandValue>> {
  const { done, undone, valueIn } = asked;
  const say = (text: string) => writes.info({ repository, number, ...place }, text);
  switch (sent.type) {
    case "refused":
      return refused(sent);
    case "limited":
      // A rate limit affects all further requests, too.
      say(`GitHub ${undone}: ${sent.reason}. The next run tries again.`);
      return plainDelivery(sent);
    case "not-sent":
      say(`GitHub ${undone}${whyNot(sent)}. The next run tries again.`);
      return sent;
    case "uncertain": {
      const github = await connect();
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

/** The reason, after a colon; empty if there is nothing to say. */
function whyNot({ error }: NotSent): string {
  return error === null ? "" : `: ${clause(error.problem)}`;
}

function refused(sent: RefusedWrite): Delivery<LandValue> {
  const { status, message, error } = sent;
  if (status === 409 || MOVED.test(message)) return notSent("changed");
  // The token was refused, which says nothing about the docs pull request: the next run may have another one.
  if (status === 401) return notSent("unreached", error);
  const by = whatStandsAgainst(sent);
  const isSaid = by === "state" || status === null || isOfWorkflow(message);
  const words = isSaid ? `GitHub says ${inlineCode(message) || "no reason"}` : error.problem;
  const said = { kind: error.kind, problem: clause(words), advice: error.advice };
  return { type: "refused", by, error: said };
}
