import { expect, test } from "vitest";
import type { Unaccepted } from "../github/api/explain.ts";
import { LatestWrite } from "./latest-write.ts";

const PASSING: Unaccepted = {
  type: "uncertain",
  reason: "GitHub is not available",
  error: null,
};
const FINAL: Unaccepted = {
  type: "refused",
  by: "right",
  error: { kind: "github-refused", problem: "It may not.", advice: null },
  status: 403,
  message: "",
};

/**
 * A write whose attempts have these results, one after the other, and then succeed.
 *
 * @param results an error is thrown; during `stop`, the run is cancelled
 */
function writing(results: readonly (Unaccepted | Error | "stop" | null)[], hasPause = true) {
  const written: string[] = [];
  const refused: Unaccepted[] = [];
  const controller = new AbortController();
  let pauses = 0;
  const pause = async () => {
    pauses += 1;
  };
  const latest = new LatestWrite<string>({
    write: async (value) => {
      const result = results[written.length] ?? null;
      written.push(value);
      if (result instanceof Error) throw result;
      if (result === null) return { type: "accepted", value: null };
      if (result !== "stop") return result;
      controller.abort();
      return FINAL;
    },
    stop: controller.signal,
    onRefused: (sent) => void refused.push(sent),
    pause: hasPause ? pause : null,
  });
  return { latest, written, refused, pauses: () => pauses };
}

test("of values that come during a write, only the newest is written", async () => {
  const { latest, written } = writing([]);
  for (const value of ["1", "2", "3"]) latest.set(value);
  expect(await latest.finish("4")).toBe("written");
  expect(written).toEqual(["4"]);
  const slow = writing([]);
  slow.latest.set("1");
  await Promise.resolve();
  slow.latest.set("2");
  slow.latest.set("3");
  await slow.latest.finish("4");
  expect(slow.written).toEqual(["1", "4"]);
});

test("the next value makes up for what failed in passing, without a word", async () => {
  const { latest, written, refused } = writing([PASSING]);
  latest.set("1");
  await Promise.resolve();
  expect(await latest.finish("2")).toBe("written");
  expect({ written, refused }).toEqual({ written: ["1", "2"], refused: [] });
});

test("after a refusal, nothing more is written", async () => {
  const { latest, written, refused } = writing([FINAL]);
  latest.set("1");
  await Promise.resolve();
  latest.set("2");
  expect(await latest.finish("3")).toBe("refused");
  expect({ written, refused }).toEqual({ written: ["1"], refused: [FINAL] });
});

test("the last value is tried once more after what failed in passing", async () => {
  const again = writing([PASSING]);
  expect(await again.latest.finish("1")).toBe("written");
  expect(again).toMatchObject({ written: ["1", "1"], refused: [] });
  const twice = writing([PASSING, PASSING]);
  expect(await twice.latest.finish("1")).toBe("later");
  expect(twice).toMatchObject({ written: ["1", "1"], refused: [PASSING] });
  expect(twice.pauses()).toBe(1);
});

test("without a pause, what failed in passing is left for later", async () => {
  const { latest, written, refused } = writing([PASSING], false);
  expect(await latest.finish("1")).toBe("later");
  expect({ written, refused }).toEqual({ written: ["1"], refused: [PASSING] });
});

test("what was refused after the run was cancelled is left to the post step", async () => {
  const { latest, written, refused } = writing(["stop"]);
  expect(await latest.finish("1")).toBe("later");
  expect({ written, refused }).toEqual({ written: ["1"], refused: [FINAL] });
});

test("a mistake is thrown at the end, and nothing is written after it", async () => {
  const mistake = new TypeError("x is not a function");
  const { latest, written, refused } = writing([mistake]);
  latest.set("1");
  await Promise.resolve();
  await expect(latest.finish("2")).rejects.toBe(mistake);
  expect({ written, refused }).toEqual({ written: ["1"], refused: [] });
});
