/** Who is asked for a review of a docs pull request, and who is mentioned there. */

import type { MergedChange } from "../github/changes/change-details.ts";
import type { Fact } from "../runtime/fact.ts";
import type { JudgedDocsPull } from "./acts.ts";
import type { LandInputs } from "./inputs.ts";
import type { LandReads } from "./reads.ts";
import { mayName } from "./visibility.ts";

/** Logins, and teams as `team:slug`. `areAll`: false if whether somebody is one could not be read. */
interface Reviewers {
  readonly names: readonly string[];
  readonly areAll: boolean;
}

/**
 * Who has not been asked for a review yet; `authors` means those whose changes it documents. Asking somebody who has
 * approved the head would end the approval.
 */
export async function reviewersOf(
  judged: JudgedDocsPull,
  reads: LandReads,
  { reviewers }: LandInputs,
): Promise<Reviewers> {
  const { entry, pull } = judged;
  const approvals = pull.reviews.filter(
    ({ state, head }) =>
      state === "approved" && head !== null && pull.headsBeforeUpdates.includes(head),
  );
  const approvers = approvals.map(({ author }) => author?.toLowerCase());
  const authors = reviewers.includes("authors") ? await authorsOf(judged, reads) : NOBODY;
  const all = reviewers.flatMap((name) => (name === "authors" ? authors.names : name));
  const names = [...new Set(all)].filter(
    (name) => !entry.asked.includes(name) && !approvers.includes(name.toLowerCase()),
  );
  return { names, areAll: authors.areAll };
}

const NOBODY: Reviewers = { names: [], areAll: true };

/** Those whose changes are from repositories that everyone who sees the docs pull request can see. */
async function authorsOf(
  { entry, visibility }: JudgedDocsPull,
  reads: LandReads,
): Promise<Reviewers> {
  const seen = entry.changes.filter(({ repository }) => mayName(visibility.onPull, repository));
  const people = await Promise.all(seen.map((change) => personOf(change, reads)));
  const names = people.flatMap((person) => (person.type === "known" ? person.value : []));
  return { names, areAll: !people.some((person) => person.type === "unread" && person.isPassing) };
}

/** The author of a change; of a bot's, whoever merged it. Absent if that was no person, either. */
async function personOf(change: MergedChange, reads: LandReads): Promise<Fact<string>> {
  const { author } = change;
  const person = await reads.people.person(author);
  return person.type === "absent" ? await reads.people.merger(change) : person;
}

/**
 * A mention of those who were asked for a review, ending in a colon. Bots are not mentioned: that wakes some of them.
 */
export async function mentionsOf(
  { entry, pull }: JudgedDocsPull,
  reads: LandReads,
): Promise<string> {
  const [owner] = pull.repository.split("/");
  const mentioned = await Promise.all(
    entry.asked.map(async (name) => {
      if (name.startsWith("team:")) return `@${owner}/${name.slice(5)}`;
      const person = await reads.people.person(name);
      return person.type === "known" ? `@${person.value}` : null;
    }),
  );
  const mentions = mentioned.filter((mention) => mention !== null);
  return mentions.length === 0 ? "" : `${mentions.join(", ")}: `;
}
