import { expect, test } from "vitest";
import { movesRef, readingObstacles } from "../../scripts/code/reading-obstacles.ts";
import { parseSource } from "../../scripts/code/source-file.ts";

const NONE = { packedLiterals: 0, casts: 0, objectAssigns: 0, emptyDefaults: 0, longLines: 0 };

const parse = (text: string) => parseSource("src/job/job.ts", text);

test.each<[text: string, obstacles: Partial<typeof NONE>]>([
  ["const job = { ...{ id, state }, url };", { packedLiterals: 1 }],
  ["const jobs = [...[first, second], third];", { packedLiterals: 1 }],
  ["start(...[first, second]);", { packedLiterals: 1 }],
  ["const job = { ...({ id, state }) };", { packedLiterals: 1 }],
  ["const jobs = [{ ...{ ...{ id }, url }, state }];", { packedLiterals: 2 }],
  ["const job = { ...other, ...(isDraft ? { draft: true } : {}), url };", {}],
  ["const { id, ...rest } = job; start(...jobs);", {}],
  ["const job = value as Job;", { casts: 1 }],
  ["const job = value as unknown as Job;", { casts: 2 }],
  ["const states = ['done', 'failed'] as const;", {}],
  ["const job = { id } satisfies Job;", {}],
  ["import { start as begin } from './start.ts'; export { begin as start };", {}],
  ["import * as z from 'zod'; export * as job from './start.ts';", {}],
  ["Object.assign(job, { state: 'done' });", { objectAssigns: 1 }],
  ["Object.entries(job); job.assign(other); assign(job);", {}],
  ["const id = job.id ?? '';", { emptyDefaults: 1 }],
  ["const id = job.id ?? 'none'; const url = job.url || ''; const at = job.at ?? 0;", {}],
  ["// { ...{ id } } as Job ?? ''", {}],
  [`// ${"a".repeat(117)}`, {}],
  [`// ${"a".repeat(118)}`, { longLines: 1 }],
])("%s", (text, obstacles) => {
  expect(readingObstacles(parse(text))).toEqual({ ...NONE, ...obstacles });
});

test.each([
  ["await this.git.move(from, to);", true],
  ["const moved = await store.move(null, sha);", true],
  ["await ref.swap(from, to);", true],
  ["class GitRef { async move() {} }", false],
  ["const moved = move(pawn);", false],
])("whether a file moves a ref: %s %s", (text, isMoved) => {
  expect(movesRef(parse(text))).toBe(isMoved);
});

test("a syntax error names its file", () => {
  expect(() => parse("const = 1;")).toThrow("src/job/job.ts: ");
});
