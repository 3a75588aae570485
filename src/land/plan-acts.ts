/** The acts of a plan on one docs pull request. Pure. */

import { owned } from "../github/api/rest.ts";
import { type PullAct, placeOf, type ReadPull } from "./acts.ts";
import type { LandInputs } from "./inputs.ts";
import type { Entry } from "./ledger.ts";
import { followUpPrompt } from "./problems.ts";
import { circumstancesOf } from "./refused.ts";
import type { Step } from "./step.ts";

const IF_WANTED = "To continue, reopen it and merge it, or request the change again.";

export function isReminder(step: Step): boolean {
  return (step.type === "wait" || step.type === "person") && step.isReminder;
}

/** Whether the agent has finished new commits that no preview shows. */
export function needsPreview({ entry, facts }: ReadPull, inputs: LandInputs): boolean {
  const isNew = entry.preview?.head !== facts.pull.head;
  return inputs.preview && facts.job.state === "ended" && isNew;
}

/** What the acts on a docs pull request have in common. */
interface ActOrigin {
  /** Of its intent. */
  readonly id: string;
  readonly readAt: number;
}

/** The acts on a docs pull request, in their order. */
export function actsOn(read: ReadPull, origin: ActOrigin, inputs: LandInputs): PullAct[] {
  const { id } = origin;
  const { entry, facts, step } = read;
  const place = placeOf(entry, facts);
  const { head, branch } = facts.pull;
  const acts: PullAct[] = [];
  if (!entry.isSetUp) {
    const { labels, assignees } = inputs;
    acts.push({
      type: "set-up",
      id,
      place,
      labels,
      assignees,
      reviewers: reviewersOf(entry, inputs),
    });
  }
  if (needsPreview(read, inputs)) acts.push({ type: "preview", id, place, branch, head });
  acts.push(...stepActs(read, origin, inputs));
  if (isReminder(step)) acts.push({ type: "remind", id, place, text: reminderText(read) });
  if (inputs.comment && !entry.isClosedToComments) acts.push(commentAct(id, read));
  return [...acts, { type: "release", id, place }];
}

export function commentAct(id: string, read: ReadPull): PullAct {
  return { type: "comment", id, place: placeOf(read.entry, read.facts), subject: read };
}

function stepActs(read: ReadPull, { id, readAt }: ActOrigin, inputs: LandInputs): PullAct[] {
  const { mergeMethod: method } = inputs;
  const { entry, facts, step } = read;
  const place = placeOf(entry, facts);
  const { pull } = facts;
  const circumstances = circumstancesOf(facts, inputs);
  switch (step.type) {
    case "follow-up": {
      const prompt = followUpPrompt(pull, step.problems);
      return [{ type: "follow-up", id, place, readAt, jobId: entry.jobId, prompt }];
    }
    case "merge":
      return [{ type: "merge", id, place, readAt, sha: pull.head, circumstances, method }];
    case "enqueue": {
      const { id: pullId, head: sha } = pull;
      return [{ type: "enqueue", id, place, readAt, pullId, sha, circumstances }];
    }
    case "update":
      return [{ type: "update", id, place, readAt, sha: pull.head, circumstances }];
    case "close": {
      const text = `${step.reason} It was therefore closed. ${IF_WANTED}`;
      return [{ type: "close", id, place, readAt, circumstances, text: `${HEADING}${text}` }];
    }
    default:
      return [];
  }
}

const HEADING = "### Docs agent\n\n";

/** Who has not been asked for a review yet; `authors` means those whose changes it documents. */
function reviewersOf({ changes, asked }: Entry, { reviewers }: LandInputs): string[] {
  const authors = changes.map(({ author }) => author);
  const people = authors.filter((login) => login !== "" && !login.endsWith("[bot]"));
  const names = new Set(reviewers.flatMap((name) => (name === "authors" ? people : name)));
  return [...names].filter((name) => !asked.includes(name));
}

function reminderText({ entry, facts }: ReadPull): string {
  const { owner } = owned(facts.pull);
  const names = entry.asked.map(
    (name) => `@${name.startsWith("team:") ? `${owner}/${name.slice(5)}` : name}`,
  );
  const mentions = names.length === 0 ? "" : `${names.join(", ")}: `;
  return `${HEADING}${mentions}this docs pull request waits for a review.`;
}
