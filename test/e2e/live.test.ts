import { expect, test } from "vitest";
import { startLocalWorld } from "../../emulator/local-world/index.ts";
import { summaryOf } from "../../scripts/live/summary.ts";
import { runTrial } from "../../scripts/live/trial.ts";

test("the emulated GitHub does as believed, and the trial leaves nothing behind", async () => {
  await using world = await startLocalWorld();
  const { github, service } = world;
  const { url, repository, token } = github;
  const before = [...github.home.refs.keys()];
  const place = { apiUrl: url, serverUrl: url, repository, token };
  const result = await runTrial(place, service, "1001-1");
  expect(result.tried.filter(({ holds }) => !holds)).toEqual([]);
  expect(result.leftOver).toEqual([]);
  expect([...github.home.refs.keys()]).toEqual(before);
  expect(summaryOf(result)).toContain(
    `GitHub does as believed in all ${result.tried.length} trials`,
  );
});
