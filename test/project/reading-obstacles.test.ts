import { expect, test } from "vitest";
import { obstaclesIn } from "../../scripts/code/reading-obstacles.ts";
import { parseSource } from "../../scripts/code/source-file.ts";

const parse = (text: string, file = "src/job/job.ts") => parseSource(file, text);

/** A function of so many lines. */
const functionOf = (lines: number) => `function run() {${"\n".repeat(lines - 1)}}`;

test.each<[text: string, obstacles: Record<string, number>]>([
  ["const job = { ...{ id, state }, url };", { "packed literals": 1 }],
  ["const jobs = [...[first, second], third];", { "packed literals": 1 }],
  ["start(...[first, second]);", { "packed literals": 1 }],
  ["const job = { ...({ id, state }) };", { "packed literals": 1 }],
  ["const jobs = [{ ...{ ...{ id }, url }, state }];", { "packed literals": 2 }],
  ["const job = { ...other, ...(isDraft ? { draft: true } : {}), url };", {}],
  ["const { id, ...rest } = job; start(...jobs);", {}],
  ["const job = value as Job;", { casts: 1 }],
  ["const job = value as unknown as Job;", { casts: 2 }],
  ["const states = ['done', 'failed'] as const;", {}],
  ["const job = { id } satisfies Job;", {}],
  ["import { start as begin } from './start.ts'; export { begin as start };", {}],
  ["import * as z from 'zod'; export * as job from './start.ts';", {}],
  ["Object.assign(job, { state: 'done' });", { "Object.assign": 1 }],
  ["Object.entries(job); job.assign(other); assign(job);", {}],
  ["const id = job.id ?? '';", { '?? ""': 1 }],
  ["const id = job.id ?? 'none'; const url = job.url || ''; const at = job.at ?? 0;", {}],
  ["// { ...{ id } } as Job ?? ''", {}],
  [`// ${"a".repeat(117)}`, {}],
  [`// ${"a".repeat(118)}`, { "lines over 120 columns": 1 }],
  [functionOf(50), {}],
  [functionOf(51), { "functions over 50 lines": 1 }],
  [`export const job = async () => {${"\n".repeat(50)}};`, { "functions over 50 lines": 1 }],
  ["interface Job {} export type Jobs = Job[]; class Poll {}", { "named types": 2 }],
  ["const job: Pick<Job, 'id'> = { id };", { "Pick<": 1 }],
  ["const job: Omit<Job, 'id'> = pick(all);", {}],
  ["try { start(); } catch { stop(); }", { catches: 1 }],
  ["await start().catch(() => stop()); job?.poll.catch(stop);", { catches: 2 }],
  ["try { start(); } finally { stop(); }", {}],
  ["await git.move(from, to); await recorder.move(from, to);", { "files that move a ref": 1 }],
  ["class GitRef { async move() {} } const moved = move(pawn);", {}],
])("%s", (text, counts) => {
  const byKind = Map.groupBy(obstaclesIn([parse(text)]), ({ kind }) => kind);
  const found = [...byKind].map(([kind, all]) => [kind, all.length]);
  expect(Object.fromEntries(found)).toEqual(counts);
});

test.each(["github", "service", "net", "runtime", "entrypoints"])("%s may catch", (folder) => {
  const text = "try { start(); } catch { stop(); }";
  expect(obstaclesIn([parse(text, `src/${folder}/job.ts`)])).toEqual([]);
});

test("an obstacle has its place", () => {
  const text = "const job = begin();\n  const id = job.id ?? '';\n";
  expect(obstaclesIn([parse(text)])).toEqual([
    { kind: '?? ""', path: "src/job/job.ts", line: 2, text: "const id = job.id ?? '';" },
  ]);
});

test("a name that several files export is named with all of them", () => {
  const sources = [
    parse("export function start(): void; export function start() {}"),
    parse("const begin = 1; export { begin as start };", "src/job/begin.ts"),
    parse("export class start {}", "src/job/class.ts"),
    // These pass on, import and keep to themselves.
    parse("export { start } from './job.ts';", "src/job/index.ts"),
    parse("import { start } from './job.ts'; function other() {}", "src/job/other.ts"),
    parse("export const other = 1;", "src/job/some.ts"),
  ];
  expect(obstaclesIn(sources)).toEqual([
    {
      kind: "names that several files export",
      path: "src/job/job.ts",
      line: 1,
      text: "start (src/job/begin.ts, src/job/class.ts)",
    },
  ]);
});

test("a syntax error names its file", () => {
  expect(() => parse("const = 1;")).toThrow("src/job/job.ts: ");
});
