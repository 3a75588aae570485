import { expect, test } from "vitest";
import { json } from "../support/answers.ts";
import { titlesIn } from "../support/world/outputs.ts";
import { DAY, startWorld, type World } from "../support/world/world.ts";

test("a commit in the name of a bot, by somebody whom GitHub does not know, is handed over", async () => {
  await using world = await startWorld();
  const { home } = world.github;
  const at = home.site.second;
  const author = { name: "renovate[bot]", email: "anybody@example.com", at };
  const changes = [{ path: "src/a.ts", sha: home.objects.blob("1\n") }];
  const { sha } = home.writeCommit([home.tip()], changes, { message: "Not by a bot", author });
  home.setRef("refs/heads/main", sha);
  const run = await world.run("upkeep");
  expect(titlesIn(run)).toEqual(["Not by a bot"]);
  expect(JSON.parse(run.outputs.changes ?? "")).toMatchObject([{ author: "" }]);
  expect((await world.prompts()).join()).toContain(" by an unknown account");
});

test("a commit that a pull request took into another branch is handed over as a commit", async () => {
  await using world = await startWorld();
  const { home } = world.github;
  home.setRef("refs/heads/release", home.tip());
  home.push({ message: "Fix it (#12)" });
  home.merge(home.openPullOf({ title: "Release", branch: "main", base: "release" }));
  const run = await world.run("upkeep");
  expect(titlesIn(run)).toEqual(["Fix it (#12)"]);
  expect(JSON.parse(run.outputs.changes ?? "")).toMatchObject([{ number: null }]);
});

test("if GitHub fails to compare commits each time, their changes are handed over, and later ones too", async () => {
  await using world = await startWorld();
  world.github.emulated.addFault({ path: "/compare/", status: 500, times: 1000 });
  await world.github.land({ title: "A huge diff", commits: [{}, {}] }, "merge");
  expect(titlesIn(await world.run("upkeep"))).toEqual(["A huge diff"]);
  await world.passTime();
  world.github.home.push({ message: "A small one" });
  expect(titlesIn(await world.run("upkeep"))).toEqual(["A small one"]);
  await world.passTime();
  expect(titlesIn(await world.run("upkeep"))).toEqual([]);
});

test("after a rate limit of GraphQL, GitHub is not asked more often", async () => {
  await using world = await startWorld();
  const { emulated } = world.github;
  // A rebase of several commits, which GitHub has to be asked about.
  for (const title of ["One", "Two"]) {
    await world.github.land({ title, commits: [{}, {}, {}] }, "rebase");
  }
  const message = "You have exceeded a secondary rate limit. Please wait a few minutes.";
  // Longer than a run waits for a limit.
  const headers = { "retry-after": "3600" };
  emulated.addFault({ path: "/graphql", status: 403, headers, message, times: 100 });
  const limited = await world.run("upkeep");
  expect(limited.requests.filter((request) => request === "POST /graphql")).toHaveLength(1);
  expect(limited.outputs).toMatchObject({ errorKind: "github-unavailable", changeCount: "0" });
  expect(limited.outputs.errorMessage).toContain("GitHub's rate limit is exceeded");
  emulated.clearFaults();
  expect(titlesIn(await world.run("upkeep"))).toEqual(["One", "Two"]);
});

/** Answers the question for a pull request's own commits in place of GitHub. */
function answerCommits(world: World, answer: object): void {
  world.on("POST /graphql", async (exchange) => {
    const isAsked = exchange.request.body.includes("authoredDate");
    await (isAsked ? json(200, answer) : world.genuine.github)(exchange);
  });
}

test("a rebased pull request whose commits GitHub does not show is one change all the same", async () => {
  await using world = await startWorld();
  const commits = [{}, {}, {}];
  const { number } = world.github.home.land({ title: "Rebased", commits }, "rebase");
  // GitHub is not asked about each commit because of its list, which may be behind for a day.
  await world.passTime(2 * DAY);
  const hidden = { totalCount: 3, nodes: [null, null, null] };
  answerCommits(world, { data: { repository: { pullRequest: { number, commits: hidden } } } });
  expect(titlesIn(await world.run("upkeep"))).toEqual(["Rebased"]);
  await world.passTime();
  expect(titlesIn(await world.run("upkeep"))).toEqual([]);
});

test("after a query that costs GitHub too much, nothing of the pull request counts until its commits are read", async () => {
  await using world = await startWorld();
  world.github.home.land({ title: "Rebased", commits: [{}, {}, {}] }, "rebase");
  await world.passTime(2 * DAY);
  const message = "Resource limits for this query exceeded.";
  const path = ["repository", "pullRequest"];
  const errors = [{ type: "RESOURCE_LIMITS_EXCEEDED", path, message }];
  answerCommits(world, { data: { repository: { pullRequest: null } }, errors });
  expect((await world.run("upkeep")).outputs).toMatchObject({ changeCount: "0" });
  world.restore("POST /graphql");
  expect(titlesIn(await world.run("upkeep"))).toEqual(["Rebased"]);
});

test("commits that an old copy of GitHub's database lacks are no reason to begin anew", async () => {
  await using world = await startWorld();
  const { emulated } = world.github;
  world.github.home.push({ message: "One" });
  expect(titlesIn(await world.run("upkeep"))).toEqual(["One"]);
  await world.passTime();
  world.github.home.push({ message: "Two" });
  emulated.addFault({ path: "/compare/", status: 404 });
  expect(titlesIn(await world.run("upkeep"))).toEqual(["Two"]);
  await world.passTime();
  world.github.home.push({ message: "Three" });
  emulated.addFault({ path: "/compare/", status: 404 });
  emulated.addFault({ path: "/commits[?]", status: 404 });
  expect((await world.run("upkeep")).outputs).toMatchObject({ result: "idle", changeCount: "0" });
  expect(titlesIn(await world.run("upkeep"))).toEqual(["Three"]);
  expect(world.ledger("upkeep").ledger.sources).toMatchObject([{ wasRewritten: false }]);
});

test("more commits than one run can read are read by the next runs, and none is lost", async () => {
  await using world = await startWorld();
  const { home } = world.github;
  const total = 5_030;
  home.push(Array.from({ length: total }, (_, nth) => ({ message: `Import ${nth}`, files: {} })));
  // They wait, so that none is handed over meanwhile.
  const inputs = { after: "release" };
  const first = await world.run("upkeep", { inputs });
  expect(first.outputs).toMatchObject({ result: "behind", waitingCount: "0" });
  expect(first.visible.join("\n")).toContain(
    "acme/docs gained more commits than one run can read. The next runs go on with them.",
  );
  const counts: number[] = [];
  for (let run = 0; run < 4; run += 1) {
    counts.push(Number((await world.run("upkeep", { inputs })).outputs.waitingCount));
  }
  expect(counts.at(-1)).toBe(total);
  const { waiting } = world.ledger("upkeep").ledger;
  const keys = waiting.flatMap(({ changes }) => changes.map(({ key }) => key));
  expect(new Set(keys).size).toBe(total);
});

test("a merge by `git pull` on the branch is no change, and neither is what it brings in once more", async () => {
  await using world = await startWorld();
  const { home } = world.github;
  const before = home.tip();
  await world.github.land({ title: "One", commits: [{}, {}] }, "squash");
  await world.github.land({ title: "Two" }, "merge");
  expect(titlesIn(await world.run("upkeep"))).toEqual(["One", "Two"]);
  await world.passTime();
  const local = home.commit(before, { message: "Made on somebody's machine" });
  home.forcePush(home.commit([local, home.tip()], { message: "Merge branch 'main' of acme" }));
  expect(titlesIn(await world.run("upkeep"))).toEqual(["Made on somebody's machine"]);
  await world.passTime();
  home.push({ message: "Three" });
  expect(titlesIn(await world.run("upkeep"))).toEqual(["Three"]);
});

test("a pull request whose branch merged the base into itself and was pushed as the base counts once", async () => {
  await using world = await startWorld();
  const { home } = world.github;
  const number = await world.github.openPull({ title: "Add it", commits: [{}, {}] });
  home.push({ message: "Meanwhile" });
  expect(titlesIn(await world.run("upkeep"))).toEqual(["Meanwhile"]);
  const { branch } = world.pull(number);
  const merge = home.commit([home.tip(branch), home.tip()], { message: "Merge branch 'main'" });
  home.forcePush(merge, branch);
  home.forcePush(merge);
  await world.passTime();
  expect(titlesIn(await world.run("upkeep"))).toEqual(["Add it"]);
  await world.passTime();
  expect(titlesIn(await world.run("upkeep"))).toEqual([]);
});

test("Copilot is one account under all of its names, and works for the person whom GitHub names", async () => {
  await using world = await startWorld();
  const { home } = world.github;
  home.land({ title: "By itself", author: "Copilot" }, "squash");
  home.land(
    { title: "For a person", author: "Copilot", assignees: ["Copilot", "writer"] },
    "squash",
  );
  home.push({ message: "A commit", author: "copilot-swe-agent[bot]" });
  const run = await world.run("upkeep", { inputs: { "ignore-authors": "copilot-swe-agent[bot]" } });
  expect(titlesIn(run)).toEqual(["For a person"]);
  expect(JSON.parse(run.outputs.changes ?? "")).toMatchObject([{ author: "writer" }]);
  const { passedOver } = world.ledger("upkeep").ledger;
  expect(passedOver.map(({ reason }) => reason.code)).toEqual(["author", "author"]);
});

test("a pull request from a branch like those of the agent counts, unless an app opened it from the agent's own", async () => {
  await using world = await startWorld();
  const { home } = world.github;
  home.land({ title: "Documented" }, "squash");
  await world.run("upkeep");
  await world.passTime();
  await world.run("upkeep");
  const docs = home.pulls.find(({ author }) => author === "docs-agent[bot]");
  const branch = docs?.branch ?? "";
  if (docs !== undefined) home.close(docs);
  const alike = `${branch}-2`;
  home.land({ title: "By another app", author: "release-bot[bot]", branch: alike }, "squash");
  home.land({ title: "By a person", author: "writer", branch }, "squash");
  home.land({ title: "By the agent", author: "docs-agent[bot]", branch }, "squash");
  expect(titlesIn(await world.run("upkeep"))).toEqual(["By another app", "By a person"]);
});
