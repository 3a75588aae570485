import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { held, json } from "../../../test/support/answers.ts";
import { dependenciesOf } from "../../../test/support/dependencies.ts";
import { refusal } from "../../../test/support/github.ts";
import { connectClient } from "../../../test/support/github-client.ts";
import type { Connect } from "../api/connect.ts";
import { Feedback } from "./feedback.ts";
import { type JobMarker, jobMarkers } from "./job-marker.ts";

const MARKER: JobMarker = {
  job: "job_1",
  api: "v2",
  request: "accepted",
  ended: false,
  run: "1001",
  attempt: 1,
  step: "write-docs/docs",
  asks: "a",
};

function setUp(connect: Connect) {
  const { log, lines } = dependenciesOf();
  const plan = {
    place: { repository: "octo/docs", issue: 7 },
    reactionTarget: { path: "issues/7" },
    repository: "octo/docs",
    draft: "1001-1-x",
  };
  const markers = jobMarkers(["mint_k3y"], "docs");
  const feedback = new Feedback({ plan, subject: "job", markers, connect, log });
  return { feedback, lines };
}

test("what GitHub refuses is a warning, and the run goes on", async () => {
  const { server, connect } = connectClient();
  server.on("POST /repos/octo/docs/issues/7/:what", refusal(403, "No"));
  const { feedback, lines } = setUp(connect);
  await Promise.all([feedback.write("At work.", MARKER), feedback.react("eyes")]);
  feedback.throwMistake();
  expect(lines).toHaveLength(2);
  expect(lines.join("\n")).toMatch(/warning: .*`issues: write`.* The job is not affected\./);
});

test("a mistake of the action is thrown where the run can report it, and is no warning", async () => {
  const mistake = new TypeError("x is not a function");
  const { feedback, lines } = setUp(() => Promise.reject(mistake));
  await Promise.all([feedback.write("At work.", MARKER), feedback.react("eyes")]);
  expect(() => feedback.throwMistake()).toThrow(mistake);
  expect(lines).toEqual([]);
});

test.each(["GitHub has answered the reaction", "five seconds are over"])(
  "the end of a run waits until %s",
  async (what) => {
    const { server, connect } = connectClient();
    const reaction = held(json(201, { id: 1 }));
    server.on("POST /repos/octo/docs/issues/7/:what", reaction);
    const { feedback } = setUp(connect);
    const timer = Promise.withResolvers<void>();
    const sleep = (milliseconds: number) => {
      expect(milliseconds).toBe(5_000);
      return timer.promise;
    };
    void feedback.react("eyes");
    let isOver = false;
    const reacted = feedback.reacted({ now: () => 0, timeOfDay: () => 0, sleep }).then(() => {
      isOver = true;
    });
    while (server.requests.length === 0) await setImmediate();
    expect(isOver).toBe(false);
    if (what.startsWith("GitHub")) reaction.release();
    else timer.resolve();
    await reacted;
  },
);
