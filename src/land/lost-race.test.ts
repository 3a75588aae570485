import { expect, test } from "vitest";
import { MemoryServers, REPOSITORY } from "../../emulator/local-world/memory-servers.ts";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { HttpInProcess, INPUTS_IN_PROCESS } from "../../test/support/http-in-process.ts";
import { contextOf } from "../../test/support/run-context.ts";
import { land } from "./land.ts";

const DAY = 24 * 60 * 60_000;

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
  let others = 0;
  const lines = await runLand(servers, inputs, 0.5, async () => {
    others += 1;
    await runLand(servers, {}, others / 10);
    // After a day, there is something to write again.
    servers.now += 2 * DAY;
  });
  expect(others).toBe(3);
  return lines.filter((line) => line.startsWith("warning"));
}

function serversOf(): MemoryServers {
  return new MemoryServers(() => ({ outcome: "completed", takes: 0 }));
}

test("a run reads three times if others write first, and warns once that it knows nothing", async () => {
  expect(await runSlowly(serversOf(), {})).toEqual([
    expect.stringContaining("There is no ledger of upkeep or queue in acme/code"),
  ]);
});

test("a run reads three times if others write first, and warns once of each other ledger", async () => {
  const servers = serversOf();
  const { repository } = servers;
  const broken = repository.commit(repository.tip(), { files: { "ledger.json": "no ledger" } });
  repository.setRef("refs/docs-agent/upkeep/broken", broken);
  expect(await runSlowly(servers, { ledgers: "refs/heads/none" })).toEqual([
    "warning: There is no ref refs/heads/none here, which `ledgers` names.",
    expect.stringMatching(/refs\/docs-agent\/upkeep\/broken .* left alone until it is repaired\.$/),
  ]);
});
