import { expect, test } from "vitest";
import { json } from "../support/answers.ts";
import { EDIT_COMMENT } from "../support/world/conversation.ts";
import { LONG_DELAY, POLL, PR_LINK, record, WITH_JOB } from "../support/world/jobs.ts";
import { startWorld } from "../support/world/world.ts";

const ended = record("completed", { prLink: PR_LINK });

test("a sweep skips the comment of a run until 10 minutes after the run's time limit", async () => {
  await using world = await startWorld(WITH_JOB);
  const run = world.start("root", { inputs: LONG_DELAY });
  await world.waitForRequest(EDIT_COMMENT);
  world.on(POLL, json(200, ended));
  const early = await world.run("collect");
  expect(early.outputs).toMatchObject({ checkedCount: "0", finishedCount: "0" });
  expect(early.stdout).toContain("1 comment skipped: the run may still be waiting");
  run.signal("SIGKILL");
  await run.result;

  // The run's time limit is 30 minutes.
  await world.passTime(39 * 60_000);
  expect((await world.run("collect")).outputs.finishedCount).toBe("0");
  await world.passTime(2 * 60_000);
  expect((await world.run("collect")).outputs.finishedCount).toBe("1");
  const [comment] = world.comments(7);
  expect(comment?.body).toContain("completed with a pull request");
});
