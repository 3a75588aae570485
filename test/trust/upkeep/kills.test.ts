import { expect, test } from "vitest";
import { sampleOf } from "../../support/sample.ts";
import { type Kill, requestsOf, runAtOnce, runKilled } from "./two-changes.ts";

const LIMIT = 120_000;
/** How many kills a sample holds. */
const SAMPLE = 1;

const requests = await requestsOf();
/**
 * Killed after one request or before the next is the same to GitHub and to the service; what differs is
 * what the run has left for its post step.
 */
const isSameAsBefore = ({ at, when, post }: Kill) => at > 0 && when === "before" && !post;
const kills = requests
  .flatMap((request, at) =>
    (["before", "after"] as const).flatMap((when) =>
      [false, true].map((post): Kill & { request: string } => ({ at, when, post, request })),
    ),
  )
  .filter((kill) => !isSameAsBefore(kill));

for (const { request, ...kill } of sampleOf(kills, SAMPLE, "kills of upkeep")) {
  const name = `killed ${kill.when} request ${kill.at}, ${request}${kill.post ? ", with its post step" : ""}`;
  test.concurrent(`${name}: each change is sent once or shown`, { timeout: LIMIT }, async () => {
    expect(await runKilled(kill)).toEqual([]);
  });
}

for (const count of sampleOf([2, 5], 1, "runs of upkeep at once")) {
  test(`${count} runs at once send each change once`, { timeout: LIMIT }, async () => {
    expect(await runAtOnce(count)).toEqual([]);
  });
}
