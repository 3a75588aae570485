/** The pull requests and verdicts of the gate. */

import { readFileSync } from "node:fs";
import { AGENT } from "../../../emulator/github/people.ts";
import type { NewPull } from "../../../emulator/github/repository.ts";
import type { PostedComment, World, WorldRun } from "./world.ts";

/** A run that asks for drafts. */
export const DRAFTS: WorldRun = { inputs: { draft: "approved", paths: "src/**" } };

/** The gate's own comments on a pull request. */
export function gateComments(world: World, number: number): PostedComment[] {
  return world.comments(number).filter(({ body }) => body.startsWith("<!-- docs-agent-gate:"));
}

/** A row of the table of verdicts in docs/gate.md. */
export interface VerdictRow {
  text: string;
  files: string;
  label: string;
  author: string;
  job: string;
  verdict: string;
}

/** Reads the table of verdicts in docs/gate.md, which holds for `paths: src/**` and the other defaults. */
export function verdictRows(): VerdictRow[] {
  const page = readFileSync(new URL("../../../docs/gate.md", import.meta.url), "utf8");
  const [, table = ""] = /<!-- verdicts -->([\s\S]*?)<!-- end -->/.exec(page) ?? [];
  const lines = table.trim().split("\n").slice(2);
  return lines.map((text) => {
    const cells = text.split("|").slice(1, -1);
    const [files = "", label = "", author = "", job = "", verdict = ""] = cells.map((cell) =>
      cell.trim().replaceAll("`", ""),
    );
    return { text, files, label, author, job, verdict };
  });
}

/**
 * The files of a row: `a, b`, `a → b`, or `N files in src/`. `from` and `to` differ if a file was moved, and are
 * equal if it was changed.
 */
export function filesOf({ files }: VerdictRow): { from: string; to: string }[] {
  const [, digits = "0"] = /^([\d,]+) files in src\/$/.exec(files) ?? [];
  const count = Number(digits.replaceAll(",", ""));
  if (count > 0) {
    const paths = Array.from({ length: count }, (_, nth) => `src/many/${nth}.ts`);
    return paths.map((path) => ({ from: path, to: path }));
  }
  return files.split(", ").map((file) => {
    const [from = "", to = from] = file.split(" → ");
    return { from, to };
  });
}

/** The pull request of a row. @param text the content of the files that existed before */
export function newPullOf(row: VerdictRow, text: string): NewPull {
  const files = filesOf(row).flatMap(({ from, to }): [string, string | null][] =>
    from === to
      ? [[to, `${to}\n`]]
      : [
          [from, null],
          [to, text],
        ],
  );
  return {
    author: row.author === "the agent" ? AGENT : row.author,
    labels: row.label === "" ? [] : [row.label],
    commits: [{ files: Object.fromEntries(files) }],
  };
}
