/** Comments on the merged pull requests of finished batches. */

import { isLastTry } from "../batches/model/comments.ts";
import type { PendingComment } from "../batches/model/ledger.ts";
import type { Connect } from "../github/api/connect.ts";
import { reasonOf, type Sent, type Unaccepted } from "../github/api/explain.ts";
import type { ReadName } from "../github/api/repository.ts";
import { unsentAfter } from "../github/api/sent.ts";
import { repositoryIdIn } from "../github/changes/change-details.ts";
import { isSeenAt, type LevelOf } from "../github/changes/seen-repositories.ts";
import { IssueComments } from "../github/conversation/comments.ts";
import { pullLink } from "../github/conversation/news.ts";
import type { Delivery } from "../runtime/delivery.ts";
import { ABSENT, known } from "../runtime/fact.ts";
import type { Log } from "../runtime/log.ts";
import { pullRequestAt } from "../text/link.ts";
import { inlineCode } from "../text/markdown.ts";

/**
 * Comments on a merged pull request whose batch is done. If an earlier run may have written the comment, it is looked
 * for first; a comment that is there is never changed. A refusal is a warning.
 */
export async function commentOnPull(
  pending: PendingComment,
  parts: {
    connect: Connect;
    nameOf: ReadName;
    levelOf: LevelOf;
    /** Where docs pull requests may be seen. */
    serverUrl: string;
    log: Log;
  },
): Promise<Delivery<null>> {
  const { change } = pending;
  if (change.kind !== "change" || change.number === null) return COMMENTED;
  const sent = await write(pending, change, change.number, parts);
  if (sent.type === "accepted") return COMMENTED;
  const delivery = deliveryAfter(sent);
  const reason = whyNot(sent, delivery, pending);
  const place = `${change.repository}#${change.number}`;
  parts.log.warning(`${place} could not be commented on: ${reason}. The batch is not affected.`);
  return delivery;
}

const COMMENTED = { type: "accepted", value: null } as const;

async function write(
  { prLink, job, tries }: PendingComment,
  { key, repository }: { key: string; repository: string },
  issue: number,
  { connect, nameOf, levelOf, serverUrl }: Parameters<typeof commentOnPull>[1],
): Promise<Sent<unknown>> {
  const mark = `<!-- docs-agent-upkeep:${job.replace(/[^\w-]/g, "")} -->`;
  const id = repositoryIdIn(key);
  const name = id === null ? known(repository) : await nameOf(id);
  if (name.type !== "known") return unsentAfter(name);
  const comments = new IssueComments(connect, { repository: name.value, issue });
  const before = tries > 0 ? await comments.findOwn(mark) : ABSENT;
  if (before.type === "unread") return unsentAfter(before);
  if (before.type === "known") return COMMENTED;
  const docs = prLink === null ? null : pullRequestAt(prLink, serverUrl);
  const isSeen =
    docs !== null &&
    (await isSeenAt({ name: name.value, id }, { name: docs.repository, id: null }, levelOf));
  return await comments.create(`${mark}\n${textOf(prLink, isSeen)}`);
}

/** Why a comment could not be written, and whether that was the last try. */
function whyNot(sent: Unaccepted, delivery: Delivery<null>, pending: PendingComment): string {
  const reason = reasonOf(sent);
  const over = "It is not tried again";
  switch (delivery.type) {
    case "refused": {
      if (delivery.by === "right") break;
      const words = sent.type === "refused" ? inlineCode(sent.message, 200) : "";
      return `GitHub says ${words || reason}. ${over}`;
    }
    case "limited":
      return reason;
  }
  const failed = delivery.type === "refused" ? "refused" : "uncertain";
  return isLastTry(pending, failed) ? `${reason}. ${over}` : reason;
}

/** What became of a comment that could not be written. */
function deliveryAfter(sent: Unaccepted): Delivery<null> {
  switch (sent.type) {
    case "limited":
      return { type: "limited" };
    case "refused": {
      // Somebody can give the token the permission. All else is the pull request's: it is locked or gone, it has too
      // many comments, its repository is archived, or its owner has blocked the account.
      const by = sent.by === "right" ? "right" : "state";
      return { type: "refused", by, error: sent.error };
    }
    case "not-sent":
    case "uncertain":
      return { type: "uncertain", reason: reasonOf(sent), error: sent.error };
  }
}

/** @param isSeen whether everyone who reads the comment can read the docs pull request */
function textOf(prLink: string | null, isSeen: boolean): string {
  if (prLink === null) {
    return "### Docs agent\n\nThis pull request needed no documentation change.";
  }
  const where = isSeen
    ? `**${pullLink("docs pull request", prLink)}**`
    : "a docs pull request that not everyone here can see";
  return `### Docs agent\n\nThe documentation of this change is in ${where}.`;
}
