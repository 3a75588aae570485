import { expect, test } from "vitest";
import { type Check, runChecks } from "../../scripts/check.ts";

const passes = (name: string): Check => ({
  name,
  run: async () => ({ isPassed: true, output: `nothing to say about ${name}` }),
});

const fails = (name: string): Check => ({
  name,
  run: async () => ({ isPassed: false, output: `${name} is wrong\n` }),
});

test.each([1, 2, 8])("every check runs after one has failed, %i at a time", async (atATime) => {
  const lines: string[] = [];
  const checks = [fails("types"), passes("lint"), fails("tables"), passes("dist")];
  const { failed } = await runChecks(checks, atATime, (line) => lines.push(line));
  expect(failed).toEqual(["types", "tables"]);
  expect(lines).toEqual([
    "\n== types ==\ntypes is wrong\n",
    "\n== tables ==\ntables is wrong\n",
    "FAILED  types",
    "ok      lint",
    "FAILED  tables",
    "ok      dist",
  ]);
});

test("nothing has failed if every check passes", async () => {
  const lines: string[] = [];
  const { failed } = await runChecks([passes("types")], 2, (line) => lines.push(line));
  expect(failed).toEqual([]);
  expect(lines).toEqual(["ok      types"]);
});

test("no more checks run at a time than asked for", async () => {
  let running = 0;
  let most = 0;
  const run = async () => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    return { isPassed: true, output: "" };
  };
  const checks = ["a", "b", "c", "d", "e"].map((name) => ({ name, run }));
  await runChecks(checks, 2, () => {});
  expect(most).toBe(2);
});
