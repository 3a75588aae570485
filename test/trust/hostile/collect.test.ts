import { expect, test } from "vitest";
import { json } from "../../support/answers.ts";
import { checkRun, recordingConnections } from "../../support/check-run.ts";
import { ALL_HOSTILE, everyNth, hostile } from "../../support/hostile-texts.ts";
import { isExhaustive, sampleOf } from "../../support/sample.ts";
import { addComment } from "../../support/world/comments.ts";
import { POLL, PR_LINK, record, WITH_JOB } from "../../support/world/jobs.ts";
import { leaveJob } from "../../support/world/requests.ts";
import { CREATE_V1, created, halted, POLL_V1 } from "../../support/world/sessions.ts";
import { startWorld } from "../../support/world/world.ts";

const COLLECT = { action: "collect" };
/** A session has five texts: each text is in one or two of the fields. */
const NUMBERS = sampleOf(everyNth(3), 1, "collect");

test.each(NUMBERS)(
  "a sweep shows a session whose fields are hostile text (%i) without any effect",
  async (nth) => {
    await using world = await startWorld(WITH_JOB);
    const fields = {
      messageToUser: hostile(nth),
      pullRequestLink: hostile(nth + 1),
      todos: [{ id: "1", content: hostile(nth + 2), status: hostile(nth + 3), priority: "low" }],
      branch: hostile(nth + 4),
    };
    world.on(CREATE_V1, created()).on(POLL_V1, json(200, halted("completed", fields)));
    await world.run("root", leaveJob({ inputs: { "api-version": "v1" } }));
    const result = await world.run("collect", recordingConnections({ debug: true }));
    expect(checkRun(result, world, COLLECT)).toEqual([]);
    expect(result.outputs.finishedCount).toBe("1");
    expect(world.comments(7)).toHaveLength(1);
  },
);

test("a sweep does not change hostile comments by people", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(POLL, json(200, record("completed", { prLink: PR_LINK })));
  await world.run("root", leaveJob());
  const texts = isExhaustive ? ALL_HOSTILE.map((_, nth) => nth) : NUMBERS;
  for (const nth of texts) addComment(world, 7, hostile(nth) || "…", "outsider");
  const before = world.comments(7).slice(1);
  const result = await world.run("collect", recordingConnections({ debug: true }));
  expect(checkRun(result, world, COLLECT)).toEqual([]);
  expect(result.outputs.finishedCount).toBe("1");
  expect(world.comments(7).slice(1)).toEqual(before);
});
