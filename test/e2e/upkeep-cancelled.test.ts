import { expect, test } from "vitest";
import { GONE_AFTER } from "../support/grace.ts";
import { runKilled } from "../support/kills.ts";
import { someOf } from "../support/sample.ts";
import { startWorld } from "../support/world/world.ts";

test.each(
  someOf<[moment: string, at: RegExp, signal: NodeJS.Signals]>([
    ["it reads the ledger", /GET .*\/contents\/ledger.json/, "SIGINT"],
    ["it reads the dashboard", /GET .*\/issues\/\d+$/, "SIGTERM"],
    ["it polls a job", /GET \/v2\/agent/, "SIGINT"],
    ["it reads its sources", /POST \/graphql$/, "SIGINT"],
    ["it compares commits", /GET .*\/compare\//, "SIGTERM"],
    ["it reads pull requests", /GET .*\/pulls$/, "SIGTERM"],
    ["it reads the files of a change", /GET .*\/pulls\/\d+\/files$/, "SIGTERM"],
    ["it writes the handover to the ledger", /POST .*\/git\/commits$/, "SIGINT"],
  ]),
)(
  "a run that is cancelled while %s ends in time with cancelled, and its changes are handed over once",
  async (_, at, signal) => {
    await using world = await startWorld();
    await world.github.land({ title: "One" });
    await world.run("upkeep");
    await world.passTime();
    await world.github.land({ title: "Two" });
    const kill = { at, when: "before", signal } as const;
    await using ended = await runKilled(world, kill, (through) => world.start("upkeep", through));
    const { tookMs, exitCode, outputs, state, through } = ended;
    expect(tookMs).toBeLessThan(GONE_AFTER);
    expect(exitCode).toBe(1);
    expect(outputs.errorKind).toBe("cancelled");
    expect(outputs.result ?? "").not.toMatch(/started|continued/);
    const post = await world.run("upkeep", { ...through, entry: "post", state });
    expect(post.exitCode).toBe(0);

    expect((await world.run("upkeep")).outputs).toMatchObject({
      result: "continued",
      changeCount: "1",
    });
    await world.passTime();
    expect((await world.run("upkeep")).outputs).toMatchObject({
      result: "idle",
      needsDecisionCount: "0",
    });
    expect((await world.prompts()).join().match(/## Change \d+/g)).toHaveLength(2);
  },
);
