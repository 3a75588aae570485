import type { DocsPull } from "../github/docs-pull.ts";
import { type ContextSection, clean, renderContext } from "../github/prompt-context.ts";
import { newsText } from "./decide.ts";
import type { News } from "./facts.ts";

/** Most characters of one check, build, review or comment. */
const MAX_TEXT = 6_000;
const MOST_ANNOTATIONS = 50;

/**
 * The follow-up that tells the agent what is new about its pull request. What checks and people say is quoted as
 * any context, within 32 KiB.
 */
export function followUpPrompt({ url, base }: DocsPull, news: readonly News[]): string {
  const about = newsText(news);
  const isConflict = news.some(({ type }) => type === "conflict");
  const lines = [
    `Your pull request ${url} is not ready to be merged: there is ${about}.`,
    "Mend what is described below, on the same branch, and change nothing else.",
    ...(isConflict
      ? [`Bring the branch up to date with \`${base}\`, and resolve the conflict.`]
      : []),
  ];
  const sections = news.flatMap(sectionOf);
  const context = renderContext(sections);
  return [lines.join(" "), context].filter((part) => part !== "").join("\n\n");
}

/** Titles are the action's own words: a name that somebody else chose is quoted. */
function sectionOf(news: News): ContextSection[] {
  switch (news.type) {
    case "check": {
      const { name, conclusion, text, annotations } = news.check;
      const places = annotations
        .slice(0, MOST_ANNOTATIONS)
        .map(({ path, line, message }) => `${path}${line === null ? "" : `:${line}`}: ${message}`);
      const parts = [`${name}: ${conclusion}`, text, ...places];
      return [section("Failed check", null, parts)];
    }
    case "build":
      return [section("End of the log of the preview's build", null, [news.log])];
    case "review":
      return [section("Review that asks for changes", news.review.author, [news.review.body])];
    case "comment": {
      const { author, path, line, hunk, body } = news.comment;
      const place = `${path}${line === null ? "" : `:${line}`}`;
      return [section("Review comment", author, [place, body, hunk])];
    }
    case "conflict":
      return [];
  }
}

/** @param author null: a machine */
function section(title: string, author: string | null, parts: readonly string[]): ContextSection {
  const text = clean(
    parts
      .filter((part) => part !== "")
      .join("\n")
      .slice(0, MAX_TEXT),
  );
  return author === null
    ? { title, author: undefined, text, isOfMachine: true }
    : { title, author, text };
}
