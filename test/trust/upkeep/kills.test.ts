import { expect, test } from "vitest";
import { sampleOf } from "../../support/sample.ts";
import type { Kill } from "../ledger-kills.ts";
import { TWO_CHANGES } from "./two-changes.ts";

const LIMIT = 10 * 60_000;
/** How many kills a sample holds. */
const SAMPLE = 1;

/**
 * Killed after one request or before the next is the same to GitHub and to the service; what differs is
 * what the run has left for its post step.
 */
const isSameAsBefore = ({ at, when, post }: Kill) => at > 0 && when === "before" && !post;
const kills = (await TWO_CHANGES.list()).filter((kill) => !isSameAsBefore(kill));

for (const { name, ...kill } of sampleOf(kills, SAMPLE, "kills of upkeep")) {
  test.concurrent(`${name}: each change is sent once or shown`, { timeout: LIMIT }, async () => {
    expect(await TWO_CHANGES.runKilled(kill)).toEqual([]);
  });
}

for (const count of sampleOf([2, 5], 1, "runs of upkeep at once")) {
  test(`${count} runs at once send each change once`, { timeout: LIMIT }, async () => {
    expect(await TWO_CHANGES.runAtOnce(count)).toEqual([]);
  });
}
