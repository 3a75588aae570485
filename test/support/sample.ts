import { createHash } from "node:crypto";
import { inspect } from "node:util";

/** Whether everything runs (`npm run test:exhaustive`) or a sample that the seed selects. */
export const isExhaustive = process.env.TRUST_SAMPLE === "all";

/** Whether only a sample of the end-to-end tests runs (`npm test`). With the name of a file, all of its tests run. */
export const isSample = process.env.E2E_SAMPLE === "some";

/** Selects the sample. It is printed at the start and with each failure. */
export const seed = process.env.TRUST_SEED ?? "";

/**
 * A number from 0 to 1 that depends only on the seed and the name, so that an item that is added to a list does not
 * change which of the others are selected.
 */
export function chanceOf(name: string): number {
  const digest = createHash("sha256").update(`${seed}\n${name}`).digest();
  return digest.readUInt32BE() / 2 ** 32;
}

/** A seed for a generator of random numbers, different for each name. */
export function seedOf(name: string): number {
  return Math.floor(chanceOf(name) * 2 ** 32);
}

/** The shell command that runs one test again with the same seed. */
export function commandToRepeat(project: string, name: string): string {
  const mode = isExhaustive ? "--mode exhaustive " : "";
  const pattern = name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("'", "'\\''");
  return `TRUST_SEED=${seed} npx vitest run ${mode}--project ${project} -t '${pattern}'`;
}

/** The items in an order that depends on the seed. */
export function shuffled<Item>(items: readonly Item[], nameOf: (item: Item) => string): Item[] {
  return items
    .map((item) => ({ item, chance: chanceOf(nameOf(item)) }))
    .sort((a, b) => a.chance - b.chance)
    .map(({ item }) => item);
}

/** `count` of the items, selected by the seed, in their original order. An exhaustive run has all items. */
export function sampleOf<Item>(items: readonly Item[], count: number, name: string): Item[] {
  return numberedSampleOf(items, count, name).map(([, item]) => item);
}

/** The same as {@link sampleOf}, with the position of each item in the whole list. */
export function numberedSampleOf<Item>(
  items: readonly Item[],
  count: number,
  name: string,
): [position: number, item: Item][] {
  const all = [...items.entries()];
  if (isExhaustive) return all;
  return shuffled(all, ([position]) => `${name} ${position}`)
    .slice(0, count)
    .sort(([a], [b]) => a - b);
}

/** The rows of a table of end-to-end tests. A sample has one of them, selected by the seed. */
export function someOf<Row extends unknown[] | [unknown]>(rows: readonly Row[]): Row[];
export function someOf<Row>(rows: readonly Row[]): Row[];
export function someOf<Row>(rows: readonly Row[]): Row[] {
  return isSample ? sampleOf(rows, 1, inspect(rows)) : [...rows];
}

/** Rows with their names, for `%s` in a title. Vitest would shorten `$name`. */
export function byName<Row extends { name: string }>(rows: readonly Row[]): [string, Row][] {
  return rows.map((row) => [row.name, row]);
}

/** How often a property is tested in a sample, unless it is tested less often in an exhaustive run. */
const LEAST_RUNS = 10;

/** How often a property is tested: `count` times in an exhaustive run, a tenth of that in a sample, at least ten times. */
export function runs(count: number): number {
  return isExhaustive ? count : Math.min(count, Math.max(LEAST_RUNS, Math.ceil(count / 10)));
}
