import { expect, test } from "vitest";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { entryOf, pullOf } from "../../test/support/land-facts.ts";
import { known } from "../runtime/fact.ts";
import { settledReader } from "./settled-pull.ts";

/** @param after how many readings GitHub has worked it out */
function settling(after: number) {
  const pauses: number[] = [];
  const clock = {
    now: () => 0,
    timeOfDay: () => 0,
    sleep: async (time: number) => void pauses.push(time),
  };
  let readings = 0;
  const read = async () => {
    readings += 1;
    return known(pullOf({ mergeState: readings > after ? "clean" : "unknown" }));
  };
  const settled = settledReader(read, { dependencies: dependenciesOf({ clock }) });
  return { settled, pauses, readings: () => readings };
}

test.each([
  [0, 1, "clean"],
  [1, 2, "clean"],
  [2, 2, "unknown"],
])("known after %i readings, it is read %i times: %s", async (after, count, mergeState) => {
  const { settled, pauses, readings } = settling(after);
  expect(await settled(entryOf())).toMatchObject({ value: { mergeState } });
  expect(readings()).toBe(count);
  expect(pauses).toEqual(Array(count).fill(3_000));
});

test("docs pull requests that are not settled at the same time share a pause", async () => {
  const { settled, pauses, readings } = settling(0);
  await Promise.all([settled(entryOf()), settled(entryOf())]);
  expect([pauses.length, readings()]).toEqual([1, 2]);
});
