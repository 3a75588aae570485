/** The workflows that the project shows: its examples, and the code blocks of its pages. */

import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { ownAction, type Step, stepsOf, type WorkflowFile } from "./workflow-file.ts";

export const ROOT = path.join(import.meta.dirname, "../..");

export const RECIPES = "docs/recipes.md";

/** Something that a reader may copy. */
export interface Source {
  /** From the root, with `/` on every system. */
  file: string;
  /** Heading of the section that it is in; empty for a file of its own. */
  heading: string;
  contents: WorkflowFile | Step[];
}

/** The examples, the recipes, and what other pages show of the project's actions: whole workflows, or steps. */
export function readSources(): Source[] {
  const found = (...patterns: string[]) =>
    globSync(patterns, { cwd: ROOT })
      .map((file) => file.replaceAll(path.sep, "/"))
      .sort();
  const examples = found("examples/*.yml").map((file) => ({
    ...{ file, heading: "" },
    contents: parse(read(file)) as WorkflowFile,
  }));
  const pages = found("README.md", "{docs,examples}/*.md").flatMap((file) =>
    blocksOf(file, read(file)),
  );
  return [...examples, ...pages];
}

/** The code blocks of a page that use an action of the project. */
export function blocksOf(file: string, page: string): Source[] {
  const pattern = /^#+ +(.+)$|^( *)```ya?ml\n([\s\S]*?)^\2```/gm;
  const sources: Source[] = [];
  let heading = "";
  for (const [, title, indent = "", text = ""] of page.matchAll(pattern)) {
    if (title !== undefined) {
      heading = title;
      continue;
    }
    const contents: unknown = parse(text.replaceAll(new RegExp(`^${indent}`, "gm"), ""));
    const steps = Array.isArray(contents) ? (contents as Step[]) : stepsIn(contents);
    if (!steps.some((step) => ownAction(step) !== undefined)) continue;
    sources.push({ file, heading, contents: contents as Source["contents"] });
  }
  return sources;
}

function stepsIn(contents: unknown): Step[] {
  const hasJobs = typeof contents === "object" && contents !== null && "jobs" in contents;
  return hasJobs ? stepsOf(contents as WorkflowFile) : [];
}

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), "utf8");
}
