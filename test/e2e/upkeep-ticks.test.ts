import { expect, test } from "vitest";
import { hangBeforeHeaders } from "../support/answers.ts";
import { type Answer, startFaultyServer } from "../support/faulty-server.ts";
import { someOf } from "../support/sample.ts";
import { setUpUpkeep, type UpkeepSetup } from "../support/upkeep-setup.ts";

const CREATE = "POST /v2/agent/acme-docs/job";

/** A world with a change that the service may have received. */
async function setUncertainWorld(): Promise<UpkeepSetup> {
  const scene = await setUpUpkeep({
    service: { faults: [{ route: "v2-create", status: 500 }] },
  });
  await scene.history.land({ title: "Perhaps" });
  await scene.run();
  await scene.passTime();
  return scene;
}

/** Passes a request on to the world's service, once something else is done. */
function passOn(scene: UpkeepSetup, first: () => Promise<void>): Answer {
  return async ({ request: { method, path, headers, body }, response }) => {
    await first();
    const { authorization = "" } = headers;
    const answer = await fetch(`${scene.world.service.url}${path}`, {
      ...{ method, body: body.toString() },
      headers: { authorization, "content-type": "application/json" },
    });
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(await answer.text());
  };
}

test("a tick set while a run is at work stays, and the next run acts on it", async () => {
  await using scene = await setUncertainWorld();
  await using service = await startFaultyServer();
  service.on(
    CREATE,
    passOn(scene, () => scene.tick()),
  );
  await scene.history.land({ title: "Next" });
  const run = await scene.run({ inputs: { "base-url": service.url } });
  expect(run.outputs).toMatchObject({ result: "started", changeCount: "1" });
  expect(await scene.body()).toMatch(/- \[x\] <!-- again=.*`Perhaps`/);
  await scene.passTime();
  const next = await scene.run();
  expect(next.outputs).toMatchObject({ result: "continued", needsDecisionCount: "0" });
  expect(JSON.parse(next.outputs.changes ?? "")).toMatchObject([{ title: "Perhaps" }]);
});

test.each(someOf([true, false]))(
  "a tick counts once, though the run that read it was killed (post step: %s)",
  async (hasPost) => {
    await using scene = await setUncertainWorld();
    await using service = await startFaultyServer();
    service.on(CREATE, hangBeforeHeaders);
    await scene.tick();
    const inputs = { "base-url": service.url };
    const running = scene.start({ inputs });
    await service.waitForRequest(CREATE);
    running.signal("SIGKILL");
    const { state } = await running.result;
    if (hasPost) await scene.run({ entry: "post", state, inputs });
    else await scene.history.advance(11 * 60_000);
    for (let time = 1; time <= 2; time += 1) {
      const later = await scene.run();
      expect(later.outputs).toMatchObject({ result: "idle", needsDecisionCount: "1" });
      await scene.passTime();
    }
    expect(await scene.prompts()).toEqual([]);
    await scene.tick();
    expect((await scene.run()).outputs).toMatchObject({ result: "started", changeCount: "1" });
    expect(await scene.prompts()).toHaveLength(1);
  },
);

test("a box that somebody wrote for something else hands nothing over", async () => {
  await using scene = await setUncertainWorld();
  const id = Buffer.from("made-up.0/acme/docs#1").toString("base64url");
  const body = await scene.body();
  await scene.editDashboard({ body: `- [x] <!-- again=${id} --> anything\n\n${body}` });
  const run = await scene.run();
  expect(run.outputs).toMatchObject({ result: "idle", changeCount: "0" });
  expect(await scene.body()).not.toContain("anything");
});
