/** What may be quoted to the agent, and what must not be. */

import type { Case, No } from "./judge.ts";
import { approvalOf, checksOf, openComments, opinionsOf } from "./truth.ts";

const THING = /thing-\d+\./;

/** A no for each text that must not be sent, or not again. */
export function thingsOf(about: Case): No[] {
  const { world, memory } = about;
  const { home } = world;
  const texts = [
    ...home.reviews.map(({ body }) => body),
    ...home.reviewComments.map(({ body }) => body),
    ...[...home.comments.values()].map(({ body }) => body),
    ...home.checkRuns.map(({ output }) => output.summary ?? ""),
  ];
  const things = texts.flatMap((text) => THING.exec(text)?.[0] ?? []);
  const open = openThings(about);
  const sent = memory.sent.map(({ prompt }) => prompt).join("\n");
  return things.flatMap((thing): No[] => {
    const quoted = `it quotes ${thing}`;
    const noes: No[] = [];
    if (!open.has(thing)) {
      noes.push({ shown: "pull", thing, text: `${quoted}, which does not stand` });
    }
    if (sent.includes(`${thing}\n`) || isSentCheck(about, thing)) {
      noes.push({ shown: "pull", thing, text: `${quoted}, which was sent before` });
    }
    return noes;
  });
}

/** What still stands of what people with write permission and checks say. */
function openThings({ world: { home }, rules, pull, memory }: Case): Set<string> {
  const approval = approvalOf(home, pull, memory.updates);
  const against = opinionsOf(home, pull).filter(({ state }) => state === "CHANGES_REQUESTED");
  const comments = approval === null ? openComments(home, pull) : [];
  const isRequired = (name: string) =>
    name === "docs-check" && (rules.required || rules.merge === "checks");
  const red = checksOf(home, pull.head)
    .filter(({ name, results }) => {
      return results.includes("red") && (approval === null || isRequired(name));
    })
    .flatMap(({ runs }) => runs);
  return new Set([
    ...against.map(({ body }) => body),
    ...comments.map(({ comment }) => comment.body),
    ...red.map(({ output }) => output.summary ?? ""),
  ]);
}

/** Whether a check of this name on this head was sent, however often it is reported. */
function isSentCheck({ world: { home }, pull, memory }: Case, thing: string): boolean {
  const name = home.checkRuns.find(({ output }) => output.summary === thing)?.name;
  const alike = home.checkRuns.filter((run) => run.name === name && run.head_sha === pull.head);
  return (
    name !== undefined &&
    memory.sent.some(({ prompt }) =>
      alike.some(({ output }) => prompt.includes(`${output.summary}\n`)),
    )
  );
}
