import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { findRequest } from "../src/github/trigger/phrase.ts";
import { COMMENT } from "./phrase-corpus/comments.ts";
import { readPage } from "./phrase-corpus/shown.ts";

// Checks with generated comments that every request that the action finds is text that GitHub shows, by GitHub's own
// parser (cmark-gfm), and that it has every word of it that GitHub shows, and keeps some of the comments for the tests:
//
//   pip install cmarkgfm && node scripts/phrase-corpus.ts [PYTHON] [COMMENTS] [SEED]

const [python = "python3", comments = "40000", seed = "1"] = process.argv.slice(2);
const KEPT = 500;

const WORD = /(?:ask|word)\d+z/g;

/** The request that is found in a comment (null if none), and the requests and words that a reader sees. */
async function rowOf(body: string, html: string) {
  const { asking, text } = readPage(html);
  const shown = asking.flatMap((line) => /^\s*\/docs (ask\d+z)/.exec(line)?.[1] ?? []);
  const seen: string[] = text.match(WORD) ?? [];
  const { request } = await findRequest(body, "/docs");
  const words: string[] = request?.text.match(WORD) ?? [];
  const heard = words[0] ?? null;
  const begin = body.indexOf(String(heard));
  const leftOut = seen.filter((word) => body.indexOf(word) > begin && !words.includes(word));
  const isWrong = request !== null && (!shown.includes(String(heard)) || leftOut.length > 0);
  return { isWrong, row: { body, heard, shown, seen } };
}

/** The HTML of each comment, by GitHub's own parser. */
function render(bodies: readonly string[]): string[] {
  const script = fileURLToPath(new URL("phrase-corpus/render.py", import.meta.url));
  const input = bodies.map((body) => `${JSON.stringify(body)}\n`).join("");
  const options = { input, encoding: "utf8", maxBuffer: 2 ** 30 } as const;
  const pages = execFileSync(python, [script], options).trimEnd().split("\n");
  return pages.map((line) => JSON.parse(line));
}

const bodies = fc.sample(COMMENT, { numRuns: Number(comments), seed: Number(seed) });
const pages = render(bodies);
const all = await Promise.all(bodies.map((body, index) => rowOf(body, pages[index] ?? "")));
const wrong = all.filter(({ isWrong }) => isWrong);
for (const { row } of wrong.slice(0, 10)) console.log(row);
const heard = all.filter(({ row }) => row.heard !== null);
const notHeard = all.filter(({ row }) => row.heard === null);
console.log(
  `${all.length} comments: ${heard.length} ask, ${wrong.length} of them where nobody sees it, or without a word that is seen.`,
);
if (wrong.length > 0) process.exitCode = 1;
else {
  const kept = [...heard.slice(0, KEPT / 2), ...notHeard.slice(0, KEPT / 2)];
  const text = kept.map(({ row }) => `${JSON.stringify(row)}\n`).join("");
  writeFileSync(new URL("../test/data/phrase-corpus.jsonl", import.meta.url), text);
}
