/** What the emulated agent writes: a page, its commits, and the text of the pull request. Made of prompts, nothing else. */

import { withoutOptions } from "./steering.ts";

const MAX_TITLE = 60;
const MAX_TEXT = 500;
const WORDS_IN_A_PATH = 6;
const MOST_FILES = 5;

export interface Writing {
  /** Of the pull request, or of a session. */
  title: string;
  message: string;
  page: string;
  /** What is added to a page that is there. */
  section: string;
  /** Where the page goes; empty when the prompt has no words for it. */
  slug: string;
  /** What the pull request is about, without the line on who wrote it. */
  body: string;
}

/** Says in a pull request what its text is. */
export function standIn(jobId: string): string {
  return `_Job \`${jobId}\` of the emulated service wrote this: it stands in for the work of a real agent._`;
}

/** What the agent writes for a prompt: about the changes that it quotes, or else about what it asks for. */
export function writingFor(prompt: string): Writing {
  const [request = "", ...context] = withoutOptions(prompt).split(/^---$/m);
  const quoted = quotedParts(context.join(""));
  const changes = quoted.flatMap(changeIn);
  return changes.length > 0 ? aboutChanges(changes) : aboutRequest(request, quoted);
}

/** A heading of the prompt's context, and the lines below it, as they were before they were quoted. */
interface QuotedPart {
  heading: string;
  lines: string[];
}

function quotedParts(context: string): QuotedPart[] {
  const [, ...parts] = context.split(/^## /m);
  return parts.map((part) => {
    const [heading = "", ...lines] = part.split("\n");
    const quoted = lines.filter((line) => line.startsWith(">"));
    return { heading, lines: quoted.map((line) => line.replace(/^> ?/, "")) };
  });
}

interface Change {
  /** Such as `acme/app#12`. */
  place: string;
  title: string;
  url: string;
  files: string[];
  description: string;
}

function changeIn({ heading, lines }: QuotedPart): Change[] {
  const place = /^Change \d+: (\S+)/.exec(heading)?.[1];
  const [title, url] = lines;
  if (place === undefined || title === undefined || url === undefined) return [];
  const after = (label: string) => {
    const start = lines.indexOf(label);
    if (start === -1) return [];
    const rest = lines.slice(start + 1);
    const end = rest.indexOf("");
    return end === -1 ? rest : rest.slice(0, end);
  };
  const files = after("Files:").map((line) => line.replace(/ \(\+\d+ -\d+\)$/, ""));
  const description = after("Description:").join("\n").slice(0, MAX_TEXT);
  return [{ place, title, url, files, description }];
}

function aboutChanges(changes: readonly Change[]): Writing {
  const [first, ...others] = changes.map(({ title }) => title);
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const title = `Document ${cut(`“${first}`, MAX_TITLE)}”${more}`;
  const sections = changes.map(({ title, place, url, files, description }) => {
    const shown = files.slice(0, MOST_FILES).map((file) => `\`${file}\``);
    const where = shown.length === 0 ? "" : ` The change is in ${shown.join(", ")}.`;
    const text = [`Since [${place}](${url}): ${title}.${where}`, description];
    return `## ${title}\n\n${text.filter((it) => it !== "").join("\n\n")}\n`;
  });
  const items = changes.map(({ title, place, url }) => `- [${place}](${url}): ${title}`);
  return {
    ...{ title, message: title, section: sections.join("\n"), slug: slugOf(first ?? "") },
    page: `# ${first}\n\n${sections.join("\n")}`,
    body: `This documents:\n\n${items.join("\n")}`,
  };
}

/** Requests that are about the pull request itself, such as those of `land`. */
const CORRECTS = /^Your pull request /;
const VERB = /^(?:please )?(?:explain|describe|document|mention|cover|write about) /i;

function aboutRequest(request: string, quoted: readonly QuotedPart[]): Writing {
  const line = request.split("\n").find((it) => it.trim() !== "") ?? "";
  const written = line.replace(/^[#>\s]+/, "").replace(/[.\s]+$/, "");
  const asked = written.replace(/^write a page that explains /i, "Explain ");
  const title = cut(capitalized(asked) || "Update the documentation", MAX_TITLE);
  const topic = cut(asked.replace(VERB, "") || "the documentation", MAX_TEXT);
  const isCorrection = CORRECTS.test(asked);
  const heading = capitalized(topic);
  const url = quoted.flatMap(({ lines }) => lines).find((it) => /^https?:\/\/\S+$/.test(it));
  return {
    ...{ title, slug: slugOf(title) },
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
