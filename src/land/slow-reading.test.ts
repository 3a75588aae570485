import { expect, test } from "vitest";
import { REPOSITORY } from "../../emulator/local-world/memory-servers.ts";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { HttpInProcess, INPUTS_IN_PROCESS } from "../../test/support/http-in-process.ts";
import { World } from "../../test/support/memory-world/world.ts";
import { contextOf } from "../../test/support/run-context.ts";
import { land } from "./land.ts";

const MINUTE = 60_000;

/** Runs land on two docs pull requests with a failed check. @param minutes how long each question to GitHub takes */
async function runOnTwo(minutes: number) {
  const world = new World([{ outcome: "completed", takes: 0 }]);
  const { servers, home } = world;
  for (const page of ["retries", "timeouts"]) {
    const job = world.startJob(`Document ${page}.`);
    const { number } = home.openIssue({ title: page, body: "", author: "writer" });
    world.postStatus(job, number, {});
  }
  servers.now += MINUTE;
  servers.agent.openDuePulls();
  for (const { head } of servers.agent.pulls) {
    home.report({ name: "build", head_sha: head, conclusion: "failure" });
  }
  const http = new HttpInProcess(async (outgoing) => {
    if (outgoing.url.pathname === "/graphql") servers.now += minutes * MINUTE;
    return servers.perform(outgoing);
  });
  const clock = { now: () => servers.now, timeOfDay: () => servers.now, sleep: async () => {} };
  const dependencies = dependenciesOf({ http, clock });
  const inputs: Record<string, string> = { ...INPUTS_IN_PROCESS, "api-key": world.key };
  const context = { ...contextOf("schedule"), repository: REPOSITORY };
  await land((name) => inputs[name] ?? "", context, dependencies);
  return {
    followUps: servers.agent.accepted.length - 2,
    warnings: dependencies.lines.filter((line) => line.startsWith("warning")),
  };
}

test("a run that reads for more than 5 minutes sends nothing, and says so once", async () => {
  expect(await runOnTwo(6)).toEqual({
    followUps: 0,
    warnings: [
      "warning: Reading took more than 5 minutes, so nothing more is sent, merged or closed.",
    ],
  });
});

test("a run that reads for a minute sends what is due", async () => {
  expect(await runOnTwo(1)).toEqual({ followUps: 2, warnings: [] });
});
