import { expect, test } from "vitest";
import { parseSource } from "../../scripts/code/source-file.ts";
import { unusedExports } from "../../scripts/code/unused-exports.ts";

const EXPORTS = `export const some = 1;
export function other() {}
export type Shown = { own: Own };
export interface Own {}
export interface Alone {}
export class Made {}
export const made = (): Made => new Made();
const renamed = 2;
export { renamed as another };
`;
const ALL = ["some", "other", "Shown", "Alone", "made", "another"];

test.each([
  ["", ALL],
  ['import { some, type Alone as Mine } from "./job.ts";', ["other", "Shown", "made", "another"]],
  ['export { other, another } from "./job.ts";', ["some", "Shown", "Alone", "made"]],
  [
    'const { some, other: mine } = await import("./job.ts");',
    ["Shown", "Alone", "made", "another"],
  ],
  ['const { some, ...rest } = await import("./job.ts");', []],
  ['const job = (await import("./job.ts")).some;', []],
  ['import * as job from "./job.ts";', []],
  ['export * from "./job.ts";', []],
  ['let job: import("./job.ts").Alone;', []],
  ['import { some } from "../job.ts";', ALL],
  ['import "./job.ts";', ALL],
  ['// import { some } from "./job.ts";', ALL],
])("a file with %j leaves the other exports unused", (text, names) => {
  const sources = [parseSource("src/job.ts", EXPORTS), parseSource("src/run.ts", text)];
  const unused = unusedExports(sources).filter((each) => each.startsWith("src/job.ts"));
  expect(unused).toEqual(names.map((name) => `src/job.ts: ${name}`));
});
