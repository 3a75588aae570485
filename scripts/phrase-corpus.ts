import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { findRequest } from "../src/github/phrase.ts";
import { drawComment } from "./phrase-corpus/comments.ts";
import { readPage } from "./phrase-corpus/shown.ts";

// Checks on generated comments that whatever the action takes for a request is text that GitHub shows, as its
// own parser has it (cmark-gfm), and keeps some of them for the tests:
//
//   pip install cmarkgfm && node scripts/phrase-corpus.ts [PYTHON] [COMMENTS] [SEED]

const [python = "python3", comments = "40000", seed = "1"] = process.argv.slice(2);
const KEPT = 500;

/** A comment, what is heard of it, and what a reader sees of it. */
interface Row {
  body: string;
  /** The number of the request; null when nothing is asked for. */
  heard: string | null;
  /** The requests that a reader sees. */
  shown: string[];
  /** The words that a reader sees. */
  seen: string[];
}

const WORD = /(?:ask|word)\d+z/g;

async function rowOf(body: string, html: string): Promise<Row & { isWrong: boolean }> {
  const { asking, text } = readPage(html);
  const shown = asking.flatMap((line) => /^\s*\/docs (ask\d+z)/.exec(line)?.[1] ?? []);
  const seen: string[] = text.match(WORD) ?? [];
  const request = await findRequest(body, "/docs");
  const words = request?.text.match(WORD) ?? [];
  const heard = words[0] ?? null;
  const isWrong =
    request !== null && (!shown.includes(String(heard)) || words.some((it) => !seen.includes(it)));
  return { body, heard, shown, seen, isWrong };
}

/** The HTML of each, by GitHub's own parser. */
async function render(bodies: readonly string[]): Promise<string[]> {
  const script = fileURLToPath(new URL("phrase-corpus/render.py", import.meta.url));
  const child = spawn(python, [script], { stdio: ["pipe", "pipe", "inherit"] });
  const exit = once(child, "exit");
  child.stdin.end(bodies.map((body) => `${JSON.stringify(body)}\n`).join(""));
  const pages: string[] = [];
  for await (const line of createInterface(child.stdout)) pages.push(JSON.parse(line));
  const [code] = await exit;
  if (code !== 0 || pages.length !== bodies.length) throw new Error(`${python} failed (${code})`);
  return pages;
}

/** Mulberry32: the same numbers for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = randomFrom(Number(seed));
const bodies = Array.from({ length: Number(comments) }, () => drawComment(random));
const pages = await render(bodies);
const rows = await Promise.all(bodies.map((body, index) => rowOf(body, pages[index] ?? "")));
const wrong = rows.filter(({ isWrong }) => isWrong);
for (const { body, heard, shown, seen } of wrong.slice(0, 10))
  console.log({ body, heard, shown, seen });
const heard = rows.filter(({ heard }) => heard !== null);
const notHeard = rows.filter(({ heard }) => heard === null);
console.log(
  `${rows.length} comments: ${heard.length} ask, ${wrong.length} of them with what nobody sees.`,
);
if (wrong.length > 0) process.exitCode = 1;
else {
  const kept = [...heard.slice(0, KEPT / 2), ...notHeard.slice(0, KEPT / 2)];
  const lines = kept.map(({ body, heard, shown, seen }) =>
    JSON.stringify({ body, heard, shown, seen }),
  );
  writeFileSync(
    new URL("../test/data/phrase-corpus.jsonl", import.meta.url),
    `${lines.join("\n")}\n`,
  );
}
