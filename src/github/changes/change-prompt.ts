/** The prompt about changes: the instruction, and what the agent gets to know of each change. */

import { cutToBytes, oneLine } from "../../text/markdown.ts";
import { counted } from "../../text/sentence.ts";
import {
  type FittedSection,
  plainText,
  quoteLines,
  ROOM,
  renderFitted,
  roomTaken,
  shownText,
  writerOf,
} from "../trigger/prompt-context.ts";
import { type ChangeDetails, changePlace, type Reverted } from "./change-details.ts";
import type { ChangedFile } from "./history-records.ts";

/** Each change gets so many bytes, if it needs them. */
const LEAST = 1024;
/** Maximum number of lines about files per change. */
const MOST_LINES = 100;

/** The prompt about changes: the instruction, and the changes. @param includeDiff as far as there is room */
export async function promptFor(
  instruction: string,
  changes: readonly ChangeDetails[],
  includeDiff: boolean,
): Promise<string> {
  const sections = await Promise.all(
    changes.map((details, nth) => sectionOf(details, nth, includeDiff)),
  );
  return `${instruction}\n\n${renderFitted(sections)}`;
}

/** How many of some changes a prompt has room for, with at least 1 KiB of each, or all of it. */
export class PromptRoom {
  readonly #includeDiff: boolean;
  #count = 0;
  #left = ROOM;

  constructor(includeDiff: boolean) {
    this.#includeDiff = includeDiff;
  }

  /** Takes the room for one more; false if there is none. */
  async take(details: ChangeDetails): Promise<boolean> {
    const section = await sectionOf(details, this.#count, this.#includeDiff);
    this.#count += 1;
    this.#left -= roomTaken(section, LEAST);
    return this.#left >= 0;
  }
}

async function sectionOf(
  details: ChangeDetails,
  nth: number,
  includeDiff: boolean,
): Promise<FittedSection> {
  const name = `change ${nth + 1}`;
  const parts = await partsOf(details, includeDiff);
  return {
    title: `Change ${nth + 1}: ${changePlace(details.change)}`,
    writer: writerOf(details.change.author || null),
    remark: details.reverted === null ? null : remarkOf(details.reverted),
    within: (room) => fitParts(parts, name, room),
    noteSize: noteSizeOf(parts),
  };
}

function remarkOf({ place, docs }: Reverted): string {
  if (docs === null) return `It reverts ${place}.`;
  const { prLink } = docs;
  return prLink === null
    ? `It reverts ${place}, which was handed over before.`
    : `It reverts ${place}, which the docs pull request ${prLink} documents.`;
}

/** What is said of a change, quoted. What it has not is empty. */
interface Parts {
  readonly facts: string;
  readonly description: string;
  /** The list of its files, from the longest to the shortest form. */
  readonly files: readonly string[];
  readonly diffs: string;
}

async function partsOf(
  { change, labels, body, files, isComplete }: ChangeDetails,
  includeDiff: boolean,
): Promise<Parts> {
  const { title, url, sha, landedAt } = change;
  const facts = [
    title,
    url,
    labels === null || labels.length === 0 ? "" : `Labels: ${labels.join(", ")}`,
    `${landedAt === "" ? "Head" : "Merge"} commit: ${sha}`,
  ];
  const description = await shownText(body);
  return {
    facts: quoteLines(facts.map(plainText).filter(Boolean).join("\n")),
    description: description === "" ? "" : quoteLines(`Description:\n${description}`),
    files: files === null ? [] : fileLists(files, isComplete).map(quoteLines),
    diffs: quotedDiffs(includeDiff ? files : null),
  };
}

/** Room to name what is left out of one part: `, 123456 bytes of the description of change 30`. */
const NOTE = 50;

/** Room to name what is left out. Facts and files are cut only if they are very long. */
function noteSizeOf({ facts, description, files, diffs }: Parts): number {
  const isLong = sizeOf(facts) + sizeOf(files.at(-1) ?? "") > LEAST / 2;
  return [isLong, isLong, description !== "", diffs !== ""].filter(Boolean).length * NOTE;
}

/** Between two quoted parts. */
const GAP = "\n>\n";

/** The facts and the description first; then the list of files in the longest form that there is room for. */
function fitParts({ facts, description, files, diffs }: Parts, name: string, room: number) {
  const shortest = files.at(-1) ?? "";
  const leftOut: string[] = [];
  const taken: string[] = [];
  let rest = room;
  const take = (text: string, most: number, kind: string) => {
    if (text === "") return;
    const gap = taken.length === 0 ? "" : GAP;
    const shown = cutTo(text, most - Buffer.byteLength(gap));
    if (shown !== text) {
      leftOut.push(`${sizeOf(text) - sizeOf(shown)} bytes of the ${kind} of ${name}`);
    }
    if (shown === "") return;
    taken.push(gap + shown);
    rest -= sizeOf(gap + shown);
  };
  take(facts, rest, "facts");
  take(description, rest - (shortest === "" ? 0 : sizeOf(GAP + shortest)), "description");
  const list = files.find((text) => sizeOf(GAP + text) <= rest) ?? shortest;
  take(list, rest, "files");
  take(diffs, rest, "diffs");
  return { quoted: taken.join(""), leftOut };
}

function cutTo(text: string, bytes: number): string {
  return sizeOf(text) <= bytes ? text : cutToBytes(text, bytes).trimEnd();
}

function sizeOf(text: string): number {
  return Buffer.byteLength(text);
}

/**
 * Lists of the same files, from the longest to the shortest: each file, then the files of each folder summed up, from
 * the deepest folders up, and at last all of them.
 */
function fileLists(files: readonly ChangedFile[], isComplete: boolean): string[] {
  if (files.length === 0) return ["Files: none"];
  const deepest = Math.max(...files.map(({ path }) => path.split("/").length - 1));
  const levels = Array.from({ length: deepest }, (_, nth) => deepest - nth);
  const lists = [files.map(lineOf), ...levels.map((level) => folderLines(files, level))];
  const more = isComplete ? "" : "\n… and more files";
  return [
    ...lists
      .filter((lines) => lines.length <= MOST_LINES)
      .map((lines) => `Files:\n${lines.join("\n")}${more}`),
    `Files: ${sumOf(files)}${isComplete ? "" : " and more"}`,
  ];
}

function lineOf({ path, additions, deletions }: ChangedFile): string {
  return `${oneLine(path)} (+${additions} -${deletions})`;
}

/** A line for each folder, down to so many levels; for a file that is alone in its folder, its own. */
function folderLines(files: readonly ChangedFile[], level: number): string[] {
  const folderOf = ({ path }: ChangedFile) => path.split("/").slice(0, -1).slice(0, level);
  const folders = Map.groupBy(files, (file) => [...folderOf(file), ""].join("/"));
  return [...folders].map(([folder, inside]) => {
    const [first, ...others] = inside;
    const isAlone = first !== undefined && others.length === 0;
    return isAlone ? lineOf(first) : `${oneLine(folder) || "./"}: ${sumOf(inside)}`;
  });
}

function sumOf(files: readonly ChangedFile[]): string {
  const sum = (of: (file: ChangedFile) => number) =>
    files.reduce((total, file) => total + of(file), 0);
  const added = sum(({ additions }) => additions);
  return `${counted(files.length, "file")} (+${added} -${sum(({ deletions }) => deletions)})`;
}

function quotedDiffs(files: readonly ChangedFile[] | null): string {
  const diffs = (files ?? [])
    .filter(({ patch }) => patch !== "")
    .map(({ path, patch }) => `Diff of ${oneLine(path)}:\n${plainText(patch)}`);
  return diffs.length === 0 ? "" : quoteLines(diffs.join("\n\n"));
}
