import { expect, test } from "vitest";
import { setUpUpkeep, type UpkeepSetup } from "../support/upkeep-setup.ts";

const INPUTS = { comment: "true" };

/** Sets up merged pull requests whose batch has ended, so that the next run comments on them. */
async function setUpEnded(count: number): Promise<{ scene: UpkeepSetup; numbers: number[] }> {
  const scene = await setUpUpkeep();
  const numbers: number[] = [];
  for (let nth = 1; nth <= count; nth++) {
    numbers.push((await scene.history.land({ title: `Change ${nth}` })).number);
  }
  await scene.run({ inputs: INPUTS });
  await scene.passTime();
  return { scene, numbers };
}

async function commentsOn({ history }: UpkeepSetup, number: number): Promise<string[]> {
  const comments = await history.api<{ body: string }[]>(`/issues/${number}/comments?per_page=100`);
  return comments.map(({ body }) => body).filter((body) => body.includes("docs-agent-upkeep"));
}

test("runs at the same time comment once", async () => {
  const { scene, numbers } = await setUpEnded(3);
  await using _ = scene;
  await Promise.all([1, 2, 3].map(() => scene.run({ inputs: INPUTS })));
  for (const number of numbers) expect(await commentsOn(scene, number)).toHaveLength(1);
  expect(scene.ledger().ledger.pendingComments).toEqual([]);
});

test("a pull request that takes no more comments is a warning once, and keeps no other from its comment", async () => {
  const { scene, numbers } = await setUpEnded(2);
  await using _ = scene;
  const [full = 0, other = 0] = numbers;
  for (let nth = 0; nth < 2_500; nth++)
    scene.history.home.comment({ number: full }, "…", "outsider");
  const run = await scene.run({ inputs: INPUTS });
  expect(run.warnings.join()).toMatch(
    new RegExp(
      `#${full} could not be commented on: GitHub says .Commenting is disabled.*not tried`,
    ),
  );
  expect(await commentsOn(scene, other)).toHaveLength(1);
  expect((await scene.run({ inputs: INPUTS })).warnings).toEqual([]);
});

test("a comment that the token may not write is tried in three runs", async () => {
  const { scene, numbers } = await setUpEnded(1);
  await using _ = scene;
  const path = `/issues/${numbers[0]}/comments$`;
  const message = "Resource not accessible by integration";
  scene.history.emulated.addFault({ method: "POST", path, status: 403, message, times: 100 });
  for (let nth = 1; nth <= 3; nth++) {
    expect((await scene.run({ inputs: INPUTS })).warnings.join()).toContain("pull-requests: write");
  }
  expect((await scene.run({ inputs: INPUTS })).warnings).toEqual([]);
});

test("a merged change of a repository that was renamed and transferred is commented on there, once", async () => {
  await using scene = await setUpUpkeep();
  const code = scene.history.emulated.create("acme/code");
  code.roles.set("github-actions[bot]", "write");
  const { number } = code.land({ title: "Add retries" });
  const inputs = { ...INPUTS, repositories: "acme/code", since: "" };
  await scene.run({ inputs });
  await scene.passTime();
  code.rename("other/renamed");
  const { warnings } = await scene.run({ inputs });
  expect(warnings).toEqual([]);
  expect(code.commentsOn(number)).toHaveLength(1);
  expect(scene.ledger().ledger.pendingComments).toEqual([]);
  await scene.run({ inputs });
  expect(code.commentsOn(number)).toHaveLength(1);
});

test("comments wait for as long as GitHub's limit lasts, and are written once it is over", async () => {
  const { scene, numbers } = await setUpEnded(3);
  await using _ = scene;
  const path = "/issues/\\d+/comments$";
  const headers = { "retry-after": "600" };
  scene.history.emulated.addFault({ method: "POST", path, status: 429, headers, times: 100 });
  for (let nth = 1; nth <= 4; nth++) {
    const { warnings } = await scene.run({ inputs: INPUTS });
    expect(warnings.filter((text) => text.includes("could not be commented on"))).toHaveLength(1);
  }
  scene.history.emulated.clearFaults();
  await scene.run({ inputs: INPUTS });
  for (const number of numbers) expect(await commentsOn(scene, number)).toHaveLength(1);
});

test("of many warnings, eight are annotations, of which the last counts the others in the log", async () => {
  const { scene } = await setUpEnded(12);
  await using _ = scene;
  const path = "/issues/\\d+/comments$";
  scene.history.emulated.addFault({ method: "POST", path, status: 410, times: 100 });
  const { warnings, visible } = await scene.run({ inputs: INPUTS });
  expect(warnings).toHaveLength(8);
  expect(warnings.at(-1)).toContain("5 more warnings are only in the log of this step.");
  const all = visible.filter((line) => line.includes("could not be commented on"));
  expect(all).toHaveLength(12);
});
