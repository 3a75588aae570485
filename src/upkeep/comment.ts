/** Comments on the merged pull requests of finished batches. */

import { isLastTry } from "../batches/model/comments.ts";
import type { PendingComment } from "../batches/model/ledger.ts";
import type { Connect } from "../github/api/connect.ts";
import { kindOfRefusal, type Refusal, refusalOf } from "../github/api/refusal.ts";
import { repositoryIdIn } from "../github/changes/change-details.ts";
import { IssueComments } from "../github/conversation/comments.ts";
import { pullLink } from "../github/conversation/news.ts";
import type { Delivery } from "../runtime/delivery.ts";
import type { Log } from "../runtime/log.ts";
import { inlineCode } from "../text/markdown.ts";
import { clause } from "../text/sentence.ts";

/**
 * Comments on a merged pull request whose batch is done. If an earlier run may have written the comment, it is looked
 * for first; a comment that is there is never changed. A refusal is a warning.
 */
export async function commentOnPull(
  pending: PendingComment,
  {
    connect,
    nameOf,
    log,
  }: {
    connect: Connect;
    /** The present name of a repository, by its ID. */
    nameOf(id: number): Promise<string>;
    log: Log;
  },
): Promise<Delivery<null>> {
  const { change, prLink, job, tries } = pending;
  if (change.kind !== "change" || change.number === null) return COMMENTED;
  const { key, number: issue } = change;
  const mark = `<!-- docs-agent-upkeep:${job.replace(/[^\w-]/g, "")} -->`;
  const comment = async () => {
    const id = repositoryIdIn(key);
    const repository = id === null ? change.repository : await nameOf(id);
    const comments = new IssueComments(connect, { repository, issue });
    const known = tries > 0 ? await comments.findOwn(mark) : null;
    if (known === null) await comments.create(`${mark}\n${textOf(prLink)}`);
  };
  const refusal = await refusalOf(comment, ["pull-requests: write"]);
  if (refusal === null) return COMMENTED;
  const delivery = deliveryAfter(refusal);
  const place = `${change.repository}#${issue}`;
  const reason = reasonOf(refusal, delivery, pending);
  log.warning(`${place} could not be commented on: ${reason}. The batch is not affected.`);
  return delivery;
}

const COMMENTED = { type: "accepted", value: null } as const;

/** Why a comment could not be written, and whether that was the last try. */
function reasonOf(refusal: Refusal, delivery: Delivery<null>, pending: PendingComment): string {
  const reason = clause(refusal.reason);
  if (delivery.type === "limited") return reason;
  const over = "It is not tried again";
  if (delivery.type === "refused" && delivery.by === "state") {
    const words = refusal.type === "rest" ? inlineCode(refusal.message, 200) : "";
    return `GitHub says ${words || refusal.reason}. ${over}`;
  }
  const failed = delivery.type === "refused" ? "refused" : "uncertain";
  return isLastTry(pending, failed) ? `${reason}. ${over}` : reason;
}

/** What became of a comment that could not be written. */
function deliveryAfter(refusal: Refusal): Delivery<null> {
  const { reason } = refusal;
  if (refusal.type === "limited") return { type: "limited" };
  const error = { kind: kindOfRefusal(refusal), problem: reason, advice: null };
  if (refusal.type !== "rest" || refusal.isPassing) return { type: "uncertain", reason, error };
  // Somebody can give the token the permission. All else is the pull request's: it is locked or gone, it has too many
  // comments, its repository is archived, or its owner has blocked the account.
  const { status, message } = refusal;
  const isOfToken = status === 401 || (status === 403 && /not accessible/i.test(message));
  return { type: "refused", by: isOfToken ? "right" : "state", error };
}

function textOf(prLink: string | null): string {
  return prLink === null
    ? "### Docs agent\n\nThis pull request needed no documentation change."
    : `### Docs agent\n\nThe documentation of this change is in **${pullLink("docs pull request", prLink)}**.`;
}
