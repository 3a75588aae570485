/** What the emulated agent writes: a page, its commits, and the text of the pull request, made from prompts alone. */

import { withoutOptions } from "./steering.ts";

const MAX_TITLE = 60;
const MAX_TEXT = 500;
const WORDS_IN_A_PATH = 6;

export interface Writing {
  /** Of the pull request, or of a session. */
  title: string;
  message: string;
  page: string;
  /** Added to a page that exists. */
  section: string;
  /** Name of the page's file; empty if the prompt has no words for it. */
  slug: string;
  /** Text of the pull request, without the line about its author. */
  body: string;
}

/** What the agent writes for a prompt: about the changes that it quotes, or else about its request. */
export function writingFor(prompt: string): Writing {
  const [request = "", ...context] = withoutOptions(prompt).split(/^---$/m);
  const [, ...parts] = context.join("").split(/^## /m);
  const quoted = parts.map((part) => {
    const [heading = "", ...lines] = part.split("\n");
    const [title, url] = lines.flatMap((line) => (/^> ?(.*)$/.exec(line) ?? []).slice(1));
    return { place: /^Change \d+: (\S+)/.exec(heading)?.[1], title, url };
  });
  const changes = quoted.filter(({ place, url }) => place !== undefined && url !== undefined);
  const url = parts.map((part) => /^> ?(https?:\/\/\S+)$/m.exec(part)?.[1]).find(Boolean);
  return changes.length > 0 ? aboutChanges(changes) : aboutRequest(request, url);
}

/** What a part of the prompt's context quotes. */
interface Change {
  /** Such as `acme/app#12`. */
  place: string | undefined;
  title: string | undefined;
  url: string | undefined;
}

function aboutChanges(changes: readonly Change[]): Writing {
  const [first = "", ...others] = changes.map(({ title }) => title);
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const title = `Document ${cut(`“${first}`, MAX_TITLE)}”${more}`;
  const links = changes.map(({ title, place, url }) => `[${place}](${url}): ${title}`);
  const section = changes.map(({ title }, at) => `## ${title}\n\nSince ${links[at]}.\n`).join("\n");
  return {
    title,
    message: title,
    section,
    slug: slugOf(first),
    page: `# ${first}\n\n${section}`,
    body: `This documents:\n\n${links.map((link) => `- ${link}`).join("\n")}`,
  };
}

/** Requests that are about the pull request itself, such as those of `land`. */
const CORRECTS = /^Your pull request /;
const VERB = /^(?:please )?(?:explain|describe|document|mention|cover|write about) /i;

function aboutRequest(request: string, url: string | undefined): Writing {
  const line = request.split("\n").find((candidate) => candidate.trim() !== "") ?? "";
  const written = line.replace(/^[#>\s]+/, "").replace(/[.\s]+$/, "");
  const asked = written.replace(/^write a page that explains /i, "Explain ");
  const title = cut(capitalized(asked) || "Update the documentation", MAX_TITLE);
  const topic = cut(asked.replace(VERB, "") || "the documentation", MAX_TEXT);
  const isCorrection = CORRECTS.test(asked);
  const heading = capitalized(topic);
  return {
    title,
    slug: slugOf(title),
    message: isCorrection ? "Correct the page" : title,
    page: `# ${heading}\n\nThis page is about ${topic}.\n`,
    section: isCorrection
      ? "This page was corrected after its checks and reviews.\n"
      : `## ${heading}\n\nThis section is about ${topic}.\n`,
    body: `This adds a page about ${topic}.${url === undefined ? "" : ` It was requested in ${url}.`}`,
  };
}

function slugOf(title: string): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.slice(0, WORDS_IN_A_PATH).join("-");
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
