import { expect, test } from "vitest";
import { Groups } from "./groups.ts";

/** Runs by name, each of which ends when it is told to. */
function scene(most: number) {
  const groups = new Groups();
  const seen: string[] = [];
  const ends = new Map<string, () => void>();
  const enter = (run: string, group = "docs") =>
    groups.enter(
      group,
      most,
      () => {
        seen.push(`${run} runs`);
        const { promise, resolve } = Promise.withResolvers<void>();
        ends.set(run, resolve);
        return promise;
      },
      () => seen.push(`${run} is cancelled`),
    );
  return { seen, enter, end: (run: string) => ends.get(run)?.() };
}

test("a third run of a group replaces the one that waits", async () => {
  const { seen, enter, end } = scene(1);
  const [first, second, third] = ["first", "second", "third"].map((run) => enter(run));
  await second;
  expect(seen).toEqual(["first runs", "second is cancelled"]);
  end("first");
  await first;
  expect(seen.at(-1)).toBe("third runs");
  end("third");
  await third;
  const fourth = enter("fourth");
  expect(seen.at(-1)).toBe("fourth runs");
  end("fourth");
  await fourth;
});

test("with queue: max, up to a hundred runs of a group wait", async () => {
  const { seen, enter, end } = scene(100);
  const all = ["first", "second", "third"].map((run) => enter(run));
  for (const [nth, run] of ["first", "second", "third"].entries()) {
    end(run);
    await all[nth];
  }
  expect(seen).toEqual(["first runs", "second runs", "third runs"]);
});

test("names of groups ignore case, and groups do not wait for each other", () => {
  const { seen, enter } = scene(1);
  void enter("first", "Docs");
  void enter("second", "docs");
  void enter("third", "other");
  expect(seen).toEqual(["first runs", "third runs"]);
});
