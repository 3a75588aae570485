// What is the docs agent's own starts nothing. test/trust/hostile/outsiders.test.ts has every event.

import { expect, test } from "vitest";
import { refusal } from "../support/answers.ts";
import { pullRequest } from "../support/events.ts";
import { byPhrase, comment } from "../support/phrase-events.ts";
import { PROMPT } from "../support/world/actions.ts";
import { CREATE, PR_LINK, WITH_JOB } from "../support/world/jobs.ts";
import { startWorld } from "../support/world/world.ts";

const PULL = Number(PR_LINK.split("/").at(-1));
const HELPER = { login: "docs-helper[bot]", type: "Bot" };

/** A pull request of an account, with whoever caused the event. */
function pullOf(user: object, action: string, more: object = {}) {
  const { event } = pullRequest(PULL);
  const { pull_request: pull, ...rest } = Object(event);
  const sender = { login: "writer", type: "User" };
  const pull_request = { ...pull, user, merged: action === "closed" };
  return { eventName: "pull_request", event: { ...rest, action, pull_request, sender, ...more } };
}

const LABEL = { label: { name: "docs" } };

test.each(["opened", "synchronize", "labeled", "closed"])(
  "the agent's own pull request starts nothing by being %s",
  async (action) => {
    await using world = await startWorld(WITH_JOB);
    const trigger = pullOf({ login: "mintlify[bot]", type: "Bot" }, action, LABEL);
    for (const phrase of ["", "/docs"]) {
      const inputs = { prompt: PROMPT, "trigger-phrase": phrase };
      const result = await world.run("root", { ...trigger, inputs });
      expect(result).toMatchObject({ exitCode: 0, outputs: { status: "skipped" } });
      expect(result.visible.join()).toContain("what the docs agent itself does starts no run");
    }
    expect(world.asked()).toEqual([]);
  },
);

test("a pull request by another app is the agent's if a signed comment there says so", async () => {
  await using world = await startWorld(WITH_JOB);
  const merged = {
    ...pullOf(HELPER, "closed"),
    inputs: { wait: "false", comment: "false" },
  };
  await world.run("root", merged);
  expect(world.asked("service")).toEqual([CREATE]);
  // The job of this request opens it, and the action says so there.
  await world.run("root", byPhrase(comment("/docs explain retries")));
  expect(world.comment(PULL)).toContain("documentation agent opened this pull request");
  const asked = world.asked("service").length;
  const result = await world.run("root", merged);
  expect(result.outputs).toEqual({ status: "skipped" });
  expect(world.asked("service")).toHaveLength(asked);
});

test("whether an app's pull request is the agent's has to be known", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(
    "GET /repos/octo/docs/issues/:n/comments",
    refusal(403, "Resource not accessible by integration"),
  );
  const result = await world.run("root", { ...pullOf(HELPER, "closed"), inputs: {} });
  expect(result.outputs).toMatchObject({ errorKind: "github-refused" });
  expect(world.asked("service")).toEqual([]);
});

test("a person's request on the agent's pull request is a request", async () => {
  await using world = await startWorld(WITH_JOB);
  const subject = { user: { login: "mintlify[bot]", type: "Bot" } };
  const request = comment("/docs explain retries", { onPullRequest: true, subject });
  await world.run("root", byPhrase(request, { wait: "false" }));
  expect(world.asked("service")).toEqual([CREATE]);
});

test("the assistant starts nothing for it either", async () => {
  await using world = await startWorld(WITH_JOB);
  const trigger = pullOf({ login: "mintlify[bot]", type: "Bot" }, "labeled", LABEL);
  const result = await world.run("assistant", { ...trigger, inputs: { question: "What is new?" } });
  expect(result.outputs).toEqual({ status: "skipped" });
  expect(world.asked()).toEqual([]);
});
