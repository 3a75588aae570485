import { describe, expect, test } from "vitest";
import { startWorld, type World } from "../support/world/world.ts";

const CODE = [{ files: { "src/retry.ts": "1\n" } }];
const RUN = { inputs: { paths: "src/**" } };
const LINE = "docs: none, only the tests change";

async function say({ github }: World, number: number, login: string, body = LINE): Promise<void> {
  const token = github.tokenOf(login);
  await github.api(`/issues/${number}/comments`, { method: "POST", token, body: { body } });
}

test("lines of twenty strangers hide no writer's", async () => {
  await using world = await startWorld();
  const number = await world.github.openPull({ author: "outsider", commits: CODE });
  await say(world, number, "writer");
  for (let nth = 0; nth < 20; nth += 1) {
    world.github.home.comment({ number }, `docs: none, stranger ${nth}`, `stranger-${nth}`);
  }
  const { outputs } = await world.run("gate", { pull: number, ...RUN });
  expect(outputs).toMatchObject({ verdict: "excused" });
});

test("nor that of a member whose membership is private", async () => {
  await using world = await startWorld();
  world.github.home.switches.privateMembers.add("writer");
  const number = await world.github.openPull({ author: "outsider", commits: CODE });
  await say(world, number, "writer");
  for (let nth = 0; nth < 20; nth += 1) {
    world.github.home.comment({ number }, `docs: none, stranger ${nth}`, `stranger-${nth}`);
  }
  const { outputs } = await world.run("gate", { pull: number, ...RUN });
  expect(outputs).toMatchObject({ verdict: "excused" });
});

describe("on a pull request from a fork, an excuse", () => {
  async function setUp(world: World) {
    const { github } = world;
    const fork = { author: "outsider", forkOwner: "outsider" };
    const number = await github.openPull({ ...fork, commits: CODE });
    // The workflows of the base begin, and the gate sets its status.
    await world.run("gate", { pull: number, ...RUN });
    await world.passTime(60_000);
    return number;
  }

  test("holds for the head that was there, and not for what an outsider pushes later", async () => {
    await using world = await startWorld();
    const number = await setUp(world);
    await say(world, number, "writer");
    const before = await world.run("gate", { pull: number, ...RUN });
    expect(before.outputs).toMatchObject({ verdict: "excused" });
    // The status that says so is newer than the line.
    await world.passTime(60_000);
    const again = await world.run("gate", { pull: number, ...RUN });
    expect(again.outputs).toMatchObject({ verdict: "excused" });
    await world.passTime(60_000);
    await world.github.pushTo(number, { files: { "src/api.ts": "2\n" } });
    const { outputs } = await world.run("gate", { pull: number, ...RUN });
    expect(outputs).toMatchObject({ verdict: "needed" });
    expect(world.statuses(number)[0]).toMatchObject({ state: "failure" });
    const [comment] = world.comments(number).filter(({ body }) => body.includes("docs-agent-gate"));
    expect(comment?.body).toContain("the line of `writer` is older than the newest commit");
  });

  test("holds again once it is edited", async () => {
    await using world = await startWorld();
    const number = await setUp(world);
    await say(world, number, "writer");
    await world.passTime(60_000);
    await world.github.pushTo(number, { files: { "src/api.ts": "2\n" } });
    await world.run("gate", { pull: number, ...RUN });
    await world.passTime(60_000);
    const { home } = world.github;
    const line = home.commentsOn(number).find(({ author }) => author === "writer");
    if (line === undefined) throw new Error("There is no line");
    home.setComment(line, `${LINE}, still`);
    const { outputs } = await world.run("gate", { pull: number, ...RUN });
    expect(outputs).toMatchObject({ verdict: "excused" });
  });

  test("holds by the time of a check suite that came before any status", async () => {
    await using world = await startWorld();
    const { github } = world;
    const fork = { author: "outsider", forkOwner: "outsider" };
    const number = await github.openPull({ ...fork, commits: CODE });
    await github.report(number, { conclusion: "success" });
    await world.passTime(60_000);
    await say(world, number, "writer");
    const { outputs } = await world.run("gate", { pull: number, ...RUN });
    expect(outputs).toMatchObject({ verdict: "excused" });
  });

  test("holds whatever is pushed, if the fork is the writer's own", async () => {
    await using world = await startWorld();
    const body = LINE;
    const number = await world.github.openPull({ forkOwner: "writer", body, commits: CODE });
    await world.passTime(60_000);
    await world.github.pushTo(number, { files: { "src/api.ts": "2\n" } });
    const { outputs } = await world.run("gate", { pull: number, ...RUN });
    expect(outputs).toMatchObject({ verdict: "excused" });
  });
});

test("on a branch of the repository, an excuse holds for what is pushed later", async () => {
  await using world = await startWorld();
  const number = await world.github.openPull({ body: LINE, commits: CODE });
  await world.passTime(60_000);
  await world.github.pushTo(number, { files: { "src/api.ts": "2\n" } });
  const { outputs } = await world.run("gate", { pull: number, ...RUN });
  expect(outputs).toMatchObject({ verdict: "excused" });
});
