import { describe, expect, test } from "vitest";
import { PR_LINK } from "../support/world/jobs.ts";
import { titlesIn } from "../support/world/outputs.ts";
import { tasksFile } from "../support/world/tasks.ts";
import { HOUR, type Run, startWorld, type World, type WorldRun } from "../support/world/world.ts";

/** A run by hand with answers. */
function answering(decisions: string, over: Partial<WorldRun> = {}): WorldRun {
  return { eventName: "workflow_dispatch", event: {}, ...over, inputs: { decisions } };
}

interface Entry {
  id: string;
  reason: { code: string; text: string };
  changes: { title?: string; id?: string }[];
}

function entriesOf({ outputs }: Run): Entry[] {
  return JSON.parse(outputs.needsDecision ?? "");
}

function idIn(run: Run): string {
  const [entry] = entriesOf(run);
  if (entry === undefined) throw new Error("Nothing needs a decision");
  return entry.id;
}

const LOST = { service: { faults: [{ route: "v2-create" as const, status: 500 }] } };

/** A world without Issues in which a change may have been received. */
async function withoutIssues(): Promise<{ world: World; lost: Run }> {
  const world = await startWorld(LOST);
  world.github.home.hasIssues = false;
  await world.github.land({ title: "Perhaps" });
  const lost = await world.run("upkeep");
  await world.passTime();
  return { world, lost };
}

describe("where Issues are off", () => {
  test("a lost answer names `decisions` and an ID that the summary and the output have, and it hands over again once", async () => {
    const { world, lost } = await withoutIssues();
    await using _ = world;
    const [entry] = entriesOf(lost);
    expect(entry).toMatchObject({
      reason: { code: "unanswered" },
      changes: [{ title: "Perhaps" }],
    });
    expect(entry?.reason.text).toMatch(/^The service may have received the request: .*\.$/);
    expect(lost.outputs.errorMessage).toContain("`decisions: ID: again`");
    expect(lost.outputs.errorMessage).not.toContain("tick");
    expect(lost.summary).toContain(`: ID \`${entry?.id}\``);

    const again = await world.run("upkeep", answering(`${entry?.id}: again`));
    expect(again.outputs).toMatchObject({ result: "started", needsDecisionCount: "0" });
    expect(titlesIn(again)).toEqual(["Perhaps"]);
    await world.passTime();
    expect((await world.run("upkeep")).outputs.changeCount).toBe("0");
    expect(await world.prompts()).toHaveLength(1);
  });

  test("a halt names `decisions: go on`, which goes on", async () => {
    await using world = await startWorld({ steering: { durationMs: 0, outcome: "failed" } });
    world.github.home.hasIssues = false;
    await world.github.land({ title: "Fails" });
    const runs = { inputs: { "max-failures": "1" } };
    await world.run("upkeep", runs);
    await world.passTime();
    const halted = await world.run("upkeep", runs);
    expect(halted.outputs).toMatchObject({ result: "held", errorKind: "job-failed" });
    expect(halted.outputs.errorMessage).toContain("`decisions: go on`");
    const held = await world.run("upkeep", runs);
    expect(held.warnings.join()).toContain("`decisions: go on`");
    expect(held.warnings.join()).not.toContain("tick");
    const byHand = answering("go on");
    const goOn = await world.run("upkeep", {
      ...byHand,
      inputs: { ...byHand.inputs, "max-failures": "1" },
    });
    expect(goOn.outputs).toMatchObject({ result: "started", changeCount: "1" });
  });
});

test("`ID: JOB_ID` follows a job that exists after all, and its docs pull request is in review", async () => {
  await using world = await startWorld(LOST);
  await world.github.land({ title: "Perhaps" });
  const lost = await world.run("upkeep");
  await world.passTime();
  const { jobId } = (await world.run("root")).outputs;
  const run = await world.run("upkeep", answering(`${idIn(lost)}: ${jobId}`));
  expect(run.outputs).toMatchObject({ needsDecisionCount: "0", changeCount: "0" });
  await world.passTime();
  const ended = await world.run("upkeep");
  expect(JSON.parse(ended.outputs.finished ?? "")).toMatchObject([
    { jobId, changes: [{ title: "Perhaps" }] },
  ]);
  expect(world.dashboard("upkeep").body).toMatch(/## In review\n\n- .*← \[`Perhaps`\]/);
});

test("a job that another one replaces by `ID: JOB_ID` is followed, and its docs pull request is in review", async () => {
  const slow = { words: "Slow", steering: { durationMs: null } };
  await using world = await startWorld({ service: { steeredByWords: [slow] } });
  const inputs = { "job-deadline-hours": "2" };
  await world.github.land({ title: "Slow" });
  const { jobId: first = "" } = (await world.run("upkeep", { inputs })).outputs;
  await world.passTime(3 * HOUR);
  const late = await world.run("upkeep", { inputs });
  const { jobId: other } = (await world.run("root")).outputs;
  const { inputs: answers, ...byHand } = answering(`${idIn(late)}: ${other}`);
  await world.run("upkeep", { ...byHand, inputs: { ...inputs, ...answers } });
  await world.service.setJob(first, { status: "completed", prLink: PR_LINK });
  await world.passTime();
  await world.run("upkeep", { inputs });
  const { reviews } = world.ledger("upkeep").ledger;
  expect(new Set(reviews.map(({ jobId }) => jobId))).toEqual(new Set([first, other]));
});

test("answers count by hand only, once a run, and an ID that is not there is a warning", async () => {
  await using world = await startWorld(LOST);
  await world.github.land({ title: "Perhaps" });
  const id = idIn(await world.run("upkeep"));
  await world.passTime();
  const scheduled = await world.run("upkeep", { inputs: { decisions: `${id}: again, nonsense` } });
  expect(scheduled.outputs).toMatchObject({ result: "idle", needsDecisionCount: "1" });

  const invalid = await world.run("upkeep", answering(`${id}: agian`));
  expect(invalid.outputs.errorKind).toBe("invalid-input");
  expect(invalid.outputs.errorMessage).toContain(`decisions: "${id}: agian" is not allowed`);

  const unknown = await world.run("upkeep", answering("00000000: again", { runId: "9001" }));
  expect(unknown.warnings.join()).toContain("nothing to decide with the ID 00000000");
  expect(unknown.outputs.needsDecisionCount).toBe("1");

  const all = answering("all: again", { runId: "9002" });
  await world.service.addFault({ route: "v2-create", status: 500, times: 1 });
  const first = await world.run("upkeep", all);
  expect(first.outputs).toMatchObject({ errorKind: "create-uncertain", needsDecisionCount: "1" });
  await world.passTime();
  const attempt = await world.run("upkeep", { ...all, attempt: 2 });
  expect(attempt.warnings.join()).toContain("an earlier attempt of this workflow run");
  expect(attempt.outputs).toMatchObject({ result: "idle", needsDecisionCount: "1" });
});

test("a closed dashboard leaves the answers alone, and says so", async () => {
  await using world = await startWorld(LOST);
  await world.github.land({ title: "Perhaps" });
  const id = idIn(await world.run("upkeep"));
  await world.editDashboard("upkeep", { state: "closed" });
  const paused = await world.run("upkeep", answering(`${id}: again`));
  expect(paused.outputs.result).toBe("paused");
  expect(paused.warnings.join()).toContain("decisions: they were not applied");
});

test("a queue's tasks have IDs, and answers for one of them and for all others", async () => {
  await using world = await startWorld({ ...LOST, tasks: tasksFile("one", "two", "three") });
  const faults = { route: "v2-create" as const, status: 500, times: 1 };
  const runs = { inputs: { "max-running": "1", "max-failures": "9" } };
  await world.run("queue", runs);
  for (let nth = 1; nth < 3; nth++) {
    await world.passTime();
    await world.service.addFault(faults);
    await world.run("queue", runs);
  }
  const entries = entriesOf(await world.run("queue", runs));
  expect(entries.map(({ changes }) => changes)).toEqual([
    [{ id: "one" }],
    [{ id: "two" }],
    [{ id: "three" }],
  ]);
  for (const { id } of entries) expect(world.dashboard("queue").body).toContain(`: ID \`${id}\``);
  const open = await world.run("queue", runs);
  expect(open.outputs).toMatchObject({ result: "idle", needsDecisionCount: "3" });
  const byHand = answering(`${entries[1]?.id}: again, all: leave`);
  const run = await world.run("queue", { ...byHand, inputs: { ...byHand.inputs, ...runs.inputs } });
  expect(run.outputs).toMatchObject({ result: "started", doneCount: "2", startedCount: "1" });
});
