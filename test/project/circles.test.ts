import { expect, test } from "vitest";
import { circlesOf } from "../../scripts/code/circles.ts";
import { parseSource, readSources } from "../../scripts/code/source-file.ts";
import { files } from "./files.ts";

test("no files of src, emulator, playground or scripts import each other in a circle", () => {
  const paths = files("{src,emulator,playground,scripts}/**/*.{ts,mjs}");
  const sources = readSources(paths.filter((file) => !file.endsWith(".test.ts")));
  expect(sources.length).toBeGreaterThan(200);
  expect(circlesOf(sources)).toEqual([]);
});

/** Ways in which a file can import `SPECIFIER`. */
const IMPORTS = {
  value: 'import { some } from "SPECIFIER";',
  "side effect": 'import "SPECIFIER";',
  type: 'import type { Some } from "SPECIFIER";',
  "type in a list of values": 'import { type Some, other } from "SPECIFIER";',
  namespace: 'import * as some from "SPECIFIER";',
  "re-export": 'export { some } from "SPECIFIER";',
  "re-export of a type": 'export type { Some } from "SPECIFIER";',
  "re-export of everything": 'export * from "SPECIFIER";',
  dynamic: 'export const load = async () => (await import("SPECIFIER")).some;',
  "type by import()": 'export type Other = import("SPECIFIER").Some[];',
};

test("a circle is found however its two files import each other", () => {
  const kinds = Object.keys(IMPORTS);
  const pairs = kinds.flatMap((there) => kinds.map((back) => ({ there, back })));
  const missed = pairs.filter(({ there, back }) => {
    const job = fileThatImports("src/job/job.ts", "./poll.ts", there);
    const poll = fileThatImports("src/job/poll.ts", "../job/job.ts", back);
    return circlesOf([job, poll]).length !== 1;
  });
  expect(missed).toEqual([]);
});

test("a circle has its own files, and none that only imports them", () => {
  const circles = circlesOf([
    fileThatImports("src/job/job.ts", "./poll.ts", "type"),
    fileThatImports("src/job/poll.ts", "../job/job.ts", "dynamic"),
    fileThatImports("src/job/wait.ts", "./job.ts", "value"),
  ]);
  expect(circles).toEqual([["src/job/job.ts", "src/job/poll.ts"]]);
});

test("a circle is found through files in between, a second one apart from it", () => {
  const circles = circlesOf([
    fileThatImports("src/a.ts", "./b.ts", "type"),
    fileThatImports("src/b.ts", "./c.ts", "dynamic"),
    fileThatImports("src/c.ts", "./a.ts", "value"),
    fileThatImports("src/d.ts", "./e.ts", "type"),
    fileThatImports("src/e.ts", "./d.ts", "dynamic"),
  ]);
  expect(circles).toEqual([
    ["src/a.ts", "src/b.ts", "src/c.ts"],
    ["src/d.ts", "src/e.ts"],
  ]);
});

test("a file that imports itself is a circle", () => {
  expect(circlesOf([fileThatImports("src/a.ts", "./a.ts", "dynamic")])).toEqual([["src/a.ts"]]);
});

test("files that import the same file are no circle, nor are packages", () => {
  const circles = circlesOf([
    fileThatImports("src/a.ts", "./c.ts", "value"),
    fileThatImports("src/b.ts", "./c.ts", "type"),
    fileThatImports("src/c.ts", "zod", "value"),
  ]);
  expect(circles).toEqual([]);
});

test("what a comment or a string says is no import", () => {
  const text = '// import "./a.ts"\nexport const text = \'import "./a.ts"\';\n';
  expect(circlesOf([parseSource("src/a.ts", text)])).toEqual([]);
});

function fileThatImports(file: string, specifier: string, kind: string) {
  const statement = new Map(Object.entries(IMPORTS)).get(kind) ?? "";
  return parseSource(file, statement.replace("SPECIFIER", specifier));
}
