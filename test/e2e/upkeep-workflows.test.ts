import { expect, test } from "vitest";
import { titlesIn } from "../support/world/outputs.ts";
import { type Run, startWorld, type World, type WorldRun } from "../support/world/world.ts";

const FIRST = ".github/workflows/api.yml";
const SECOND = ".github/workflows/guide.yml";

/** A run of upkeep in a job of a workflow file. */
function of(file: string, paths: string, over: Partial<WorldRun> = {}): WorldRun {
  return {
    ...over,
    env: { GITHUB_WORKFLOW_REF: `acme/docs/${file}@refs/heads/main`, ...over.env },
    inputs: { paths, ...over.inputs },
  };
}

async function edit(world: World, file: string, text: string | null): Promise<void> {
  world.github.home.push({ message: "Edit a workflow", files: { [file]: text } });
}

function expectRefused({ outputs, toService }: Run, keeper: string): void {
  expect(outputs.errorKind).toBe("invalid-input");
  expect(outputs.errorMessage).toContain(`this ledger is kept by the job ${keeper}`);
  expect(outputs.errorMessage).toContain("Set `name` to give this job a ledger of its own");
  expect(toService).toEqual([]);
}

test("a second workflow with other paths reads nothing until it sets name, and nothing is lost", async () => {
  await using world = await startWorld();
  await edit(world, FIRST, "on: push\n");
  await world.run("upkeep", of(FIRST, "api/**"));
  await world.github.land({ title: "For the guide" });
  const cursor = world.ledger("upkeep").ledger.sources;
  expectRefused(await world.run("upkeep", of(SECOND, "**")), `write-docs of ${FIRST}`);
  expect(world.ledger("upkeep").ledger.sources).toEqual(cursor);
  const named = await world.run("upkeep", of(SECOND, "**", { inputs: { name: "guide" } }));
  expect(titlesIn(named)).toContain("For the guide");
});

test("a second job and a leg of a matrix with other paths pass over nothing that the first one needs", async () => {
  await using world = await startWorld();
  await edit(world, FIRST, "on: push\n");
  await world.run("upkeep", of(FIRST, "api/**", { runId: "70" }));
  await world.github.land({ title: "For the API", commits: [{ files: { "api/a.md": "A." } }] });
  const leg = of(FIRST, "guide/**", { runId: "71" });
  expectRefused(await world.run("upkeep", leg), `write-docs of ${FIRST}`);
  const job = of(FIRST, "guide/**", { runId: "71", env: { GITHUB_JOB: "guide" } });
  expectRefused(await world.run("upkeep", job), `write-docs of ${FIRST}`);
  // An edit of the file changes the filters of its own job, and of no other.
  await edit(world, FIRST, "on: schedule\n");
  expectRefused(await world.run("upkeep", job), `write-docs of ${FIRST}`);
  const first = await world.run("upkeep", of(FIRST, "api/**", { sha: world.github.home.tip() }));
  expect(titlesIn(first)).toEqual(["For the API"]);
  expectRefused(await world.run("upkeep", leg), `write-docs of ${FIRST}`);
});

test("a run by hand on a branch with narrower paths passes over nothing", async () => {
  await using world = await startWorld();
  await edit(world, FIRST, "on: push\n");
  await world.run("upkeep", of(FIRST, "**"));
  await world.github.land({ title: "For all" });
  await edit(world, FIRST, "on: schedule\n");
  const onBranch = of(FIRST, "api/**", {
    eventName: "workflow_dispatch",
    event: { repository: { default_branch: "main" } },
    env: { GITHUB_REF: "refs/heads/try" },
  });
  expectRefused(await world.run("upkeep", onBranch), `write-docs of ${FIRST}`);
  expect(titlesIn(await world.run("upkeep", of(FIRST, "**")))).toContain("For all");
});

test("filters that were edited in the file of the job count from then on", async () => {
  await using world = await startWorld();
  await edit(world, FIRST, "on: push\n");
  await world.run("upkeep", of(FIRST, "api/**"));
  await edit(world, FIRST, "on: schedule\n");
  await world.github.land({ title: "For the guide" });
  const edited = await world.run("upkeep", of(FIRST, "**"));
  expect(titlesIn(edited)).toContain("For the guide");
});

test("a step that moved takes the ledger along by `decisions: keep`, or once the old file is gone", async () => {
  await using world = await startWorld();
  await edit(world, FIRST, "on: push\n");
  await edit(world, SECOND, "on: push\n");
  await world.run("upkeep", of(FIRST, "api/**"));
  const handedOver = world.ledger("upkeep").ledger.sources;
  expectRefused(await world.run("upkeep", of(SECOND, "**")), `write-docs of ${FIRST}`);
  const byHand = { eventName: "workflow_dispatch", event: {} };
  const kept = await world.run(
    "upkeep",
    of(SECOND, "**", { ...byHand, inputs: { decisions: "keep" } }),
  );
  expect(kept.outputs.result).toBe("idle");
  // It goes on where the first one was.
  expect(world.ledger("upkeep").ledger.sources).toEqual(handedOver);
  expectRefused(await world.run("upkeep", of(FIRST, "api/**")), `write-docs of ${SECOND}`);

  await edit(world, SECOND, null);
  const third = ".github/workflows/third.yml";
  await edit(world, third, "on: push\n");
  expect((await world.run("upkeep", of(third, "docs/**"))).exitCode).toBe(0);
});
