/** The table of what starts a runner in each workflow that users copy, by whom. */

import path from "node:path";
import { table } from "../markdown-table.ts";
import { type Happening, PEOPLE } from "./happening.ts";
import { startedBy } from "./outcome.ts";
import { happeningsFor } from "./rules.ts";
import { type CopiedWorkflow, PROJECT, readCopied } from "./workflows.ts";

const ROOT = path.join(import.meta.dirname, "../..");

/** The workflows that use this project: not those of pages that show what it replaces. */
export function copiedHere(root = ROOT): CopiedWorkflow[] {
  return readCopied(root).filter(({ text }) => text.includes(PROJECT));
}

/** For a page in docs/. Workflows that the same starts have one row. */
export function copiedTable(): string {
  const rows = Map.groupBy(copiedHere(), (copied) => cellsOf(copied).join("|"));
  return table(
    ["workflow", ...PEOPLE],
    [...rows.values()].map((alike) => [
      alike.map(({ where }) => linkTo(where)).join(", "),
      ...alike.slice(0, 1).flatMap(cellsOf),
    ]),
  );
}

/** What starts a workflow, for each person. */
function cellsOf(copied: CopiedWorkflow): string[] {
  const started = happeningsFor(copied).filter((one) => startedBy(copied.workflow, one).length > 0);
  return PEOPLE.map((person) => {
    const titles = started.filter(({ by }) => by === person).map(inShort);
    return [...new Set(titles)].join("<br>");
  });
}

/** What happens, without what makes no difference to whether a runner starts. */
function inShort({ event, title, by, payload }: Happening): string {
  const [phrase] = /`[^`]+`/.exec(title) ?? [];
  if (event === "issue_comment") return `${phrase} in a comment`;
  if (event === "issues") return title.startsWith("new issue") ? `${phrase} in a new issue` : title;
  if (event.startsWith("pull_request_review")) {
    return title.includes("approves") ? "an approval" : `${phrase} in a review`;
  }
  if (event === "pull_request") return payload.pull_request.merged ? "a merge" : "a pull request";
  if (event === "push") return by === "the project's own people" ? "a push" : "a merge";
  if (event === "release") return "a release";
  return event === "workflow_run" ? "the end of another run" : title;
}

/** A link to a file, or to the page of a workflow, which has a number there. */
function linkTo(where: string): string {
  const [file = "", number = ""] = where.split(" ");
  const title = file.replace(/^(examples|docs|workflow-templates)\//, "").replace(/\.yml$/, "");
  return `[${title}${number && `\u00A0${number}`}](${path.posix.relative("docs", file)})`;
}
