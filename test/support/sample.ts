import { createHash } from "node:crypto";
import { inspect } from "node:util";

/** Whether everything runs (`npm run test:exhaustive`), or a sample by a seed. */
export const isExhaustive = process.env.TRUST_SAMPLE === "all";

/** Whether end-to-end tests are a sample, too (`npm test`): whoever names a file gets all that is in it. */
export const isSample = process.env.E2E_SAMPLE === "some";

/** Decides what is in the sample; printed when the tests start and with each failure. */
export const seed = process.env.TRUST_SEED ?? "";

/**
 * A number from 0 to 1 that depends on the seed and the name alone: what is added to a list does not
 * change what is chosen of the rest.
 */
export function chanceOf(name: string): number {
  const digest = createHash("sha256").update(`${seed}\n${name}`).digest();
  return digest.readUInt32BE() / 2 ** 32;
}

/** A seed of its own for each name, for what draws numbers itself. */
export function seedOf(name: string): number {
  return Math.floor(chanceOf(name) * 2 ** 32);
}

/** The command that runs a test again, alone, with what the seed decides; in quotes for a shell. */
export function commandToRepeat(project: string, name: string): string {
  const mode = isExhaustive ? "--mode exhaustive " : "";
  const pattern = name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("'", "'\\''");
  return `TRUST_SEED=${seed} npx vitest run ${mode}--project ${project} -t '${pattern}'`;
}

/** The items in an order that the seed decides. */
export function shuffled<Item>(items: readonly Item[], nameOf: (item: Item) => string): Item[] {
  return items
    .map((item) => ({ item, chance: chanceOf(nameOf(item)) }))
    .sort((one, other) => one.chance - other.chance)
    .map(({ item }) => item);
}

/** So many of the items, chosen by the seed and in their own order; all of them in an exhaustive run. */
export function sampleOf<Item>(items: readonly Item[], count: number, name: string): Item[] {
  return numberedSampleOf(items, count, name).map(([, item]) => item);
}

/** The same, each with its position, which stays the same in every sample. */
export function numberedSampleOf<Item>(
  items: readonly Item[],
  count: number,
  name: string,
): [position: number, item: Item][] {
  const all = [...items.entries()];
  if (isExhaustive) return all;
  return shuffled(all, ([position]) => `${name} ${position}`)
    .slice(0, count)
    .sort(([one], [other]) => one - other);
}

/** The rows of a table of end-to-end tests; in a sample, one of them, chosen by the seed. */
export function someOf<Row extends unknown[] | [unknown]>(rows: readonly Row[]): Row[];
export function someOf<Row>(rows: readonly Row[]): Row[];
export function someOf<Row>(rows: readonly Row[]): Row[] {
  return isSample ? sampleOf(rows, 1, inspect(rows)) : [...rows];
}

/** How often a property is tried: so many times in an exhaustive run, a fifth of that in a sample. */
export function runs(count: number): number {
  return isExhaustive ? count : Math.ceil(count / 5);
}
