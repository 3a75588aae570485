import { expect, test } from "vitest";
import { json } from "../support/answers.ts";
import { startCollectScenario } from "../support/collect-scenario.ts";
import { LONG_DELAY, POLL, PR_LINK, record } from "../support/scenario.ts";

const ended = record("completed", { prLink: PR_LINK });
const EDIT = "PATCH /repos/octo/docs/issues/comments/:id";

test("a sweep skips the comment of a run until 10 minutes after the run's time limit", async () => {
  await using scenario = await startCollectScenario();
  const { github, service } = scenario;
  const run = scenario.start({ inputs: LONG_DELAY });
  await github.server.waitForRequest(EDIT);
  service.on(POLL, json(200, ended));
  const early = await scenario.sweep();
  expect(early.outputs).toMatchObject({ checkedCount: "0", finishedCount: "0" });
  expect(early.stdout).toContain("1 comment skipped: the run may still be waiting");
  run.signal("SIGKILL");
  await run.result;

  // The run's time limit is 30 minutes.
  await github.passTime(39 * 60_000);
  expect((await scenario.sweep()).outputs.finishedCount).toBe("0");
  await github.passTime(2 * 60_000);
  expect((await scenario.sweep()).outputs.finishedCount).toBe("1");
  const [comment] = await github.comments(7);
  expect(comment?.body).toContain("completed with a pull request");
});
