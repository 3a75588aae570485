import { expect, test } from "vitest";
import { MemoryServers, REPOSITORY } from "../../emulator/local-world/memory-servers.ts";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { HttpInProcess, INPUTS_IN_PROCESS } from "../../test/support/http-in-process.ts";
import { World } from "../../test/support/memory-world/world.ts";
import { contextOf } from "../../test/support/run-context.ts";
import { ExchangeError } from "../net/http.ts";
import { Cancellation } from "../runtime/cancellation.ts";
import { shortHash } from "../text/short-hash.ts";
import { land } from "./land.ts";
import { landFormat } from "./ledger.ts";

const MINUTE = 60_000;

test("a run that is cancelled while it reads says that, and not that GitHub is unavailable", async () => {
  const cancellation = new Cancellation();
  const exchange = async () => {
    cancellation.cancel();
    throw new ExchangeError("sent", "stopped", "stopped by the run");
  };
  const http = new HttpInProcess(exchange);
  const dependencies = dependenciesOf({ http, cancellation });
  const run = land((name) => INPUTS_IN_PROCESS[name] ?? "", contextOf("schedule"), dependencies);
  await expect(run).rejects.toMatchObject({ kind: "cancelled" });
});

test("a run that is cancelled while it reads a broken ledger says what is wrong with the ledger", async () => {
  const cancellation = new Cancellation();
  const http = new HttpInProcess(async ({ url }) => {
    const isRef = url.pathname.includes("/git/ref/");
    if (!isRef) cancellation.cancel();
    const type = isRef ? "application/json" : "text/plain";
    const text = isRef ? JSON.stringify({ object: { sha: "a".repeat(40) } }) : "not a ledger";
    const date = "Fri, 01 May 2026 10:00:00 GMT";
    return { status: 200, headers: { "content-type": type, date }, text };
  });
  const dependencies = dependenciesOf({ http, cancellation });
  const run = land((name) => INPUTS_IN_PROCESS[name] ?? "", contextOf("schedule"), dependencies);
  await expect(run).rejects.toMatchObject({
    kind: "invalid-input",
    problem: expect.stringContaining("ledger.json"),
  });
});

/** Runs land. @param beforeWrite done before it creates or moves a ref. @returns the log's lines */
async function runLand(
  servers: MemoryServers,
  inputs: Record<string, string>,
  random: number,
  beforeWrite: () => Promise<unknown> = async () => {},
): Promise<string[]> {
  const http = new HttpInProcess(async (outgoing) => {
    if (/^(POST|PATCH) .*\/git\/refs/.test(`${outgoing.method} ${outgoing.url.pathname}`)) {
      await beforeWrite();
    }
    return servers.perform(outgoing);
  });
  const dependencies = dependenciesOf({ http, random: () => random });
  const read = (name: string) => inputs[name] ?? INPUTS_IN_PROCESS[name] ?? "";
  await land(read, { ...contextOf("schedule"), repository: REPOSITORY }, dependencies);
  return dependencies.lines;
}

/** Runs land while other runs write first, three times. @returns its warnings */
async function runSlowly(servers: MemoryServers, inputs: Record<string, string>) {
  const { repository } = servers;
  const project = shortHash("docs");
  let others = 0;
  const lines = await runLand(servers, inputs, 0.5, async () => {
    others += 1;
    const ledger = { ...landFormat(project).begin, writes: others };
    const files = { "ledger.json": JSON.stringify(ledger) };
    const ref = `refs/docs-agent/land/${project}`;
    repository.setRef(ref, repository.commit(repository.tip(), { files }));
  });
  expect(others).toBe(3);
  return lines.filter((line) => line.startsWith("warning"));
}

function serversOf(): MemoryServers {
  return new MemoryServers(() => ({ outcome: "completed", takes: 0 }));
}

test("a run plans three times if others write first, and warns once that it knows nothing", async () => {
  expect(await runSlowly(serversOf(), {})).toEqual([
    expect.stringContaining("There is no ledger of upkeep or queue in acme/code"),
  ]);
});

test("a run plans three times if others write first, and warns once of each other ledger", async () => {
  const servers = serversOf();
  const { repository } = servers;
  const broken = repository.commit(repository.tip(), { files: { "ledger.json": "no ledger" } });
  repository.setRef("refs/docs-agent/upkeep/broken", broken);
  expect(await runSlowly(servers, { ledgers: "refs/heads/none" })).toEqual([
    "warning: There is no ref refs/heads/none here, which `ledgers` names.",
    expect.stringMatching(/refs\/docs-agent\/upkeep\/broken .* left alone until it is repaired\.$/),
  ]);
});

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

test("a run that is held up for 5 minutes after it has decided sends nothing, and says so once", async () => {
  expect(await runOnTwo(6)).toEqual({
    followUps: 0,
    warnings: [
      "warning: The run took more than 5 minutes after it had decided, so nothing more is sent, merged or closed.",
    ],
  });
});

test("a run that reads for a minute sends what is due", async () => {
  expect(await runOnTwo(1)).toEqual({ followUps: 2, warnings: [] });
});
