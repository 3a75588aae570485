import { expect, test } from "vitest";
import { GitHub } from "../../../emulator/github/github.ts";
import type { Pull } from "../../../emulator/github/state.ts";
import { connectEmulated } from "../../../test/support/github-client.ts";
import { knownValue } from "../../../test/support/known.ts";
import { largeTest } from "../../../test/support/large-test.ts";
import { type PullFiles, pullFilesAt } from "./pull-files.ts";

/** A pull request with so many files, and what is read about it. */
function scene(count: number) {
  let now = Date.UTC(2026, 10, 22, 12);
  const github = new GitHub(() => now);
  const repository = github.create("acme/docs");
  const names = Array.from({ length: count }, (_, nth) => [`docs/${nth}.md`, `Page ${nth}\n`]);
  const opened = repository.openPull({ commits: [{ files: Object.fromEntries(names) }] });
  const pull = () => repository.issues.get(opened.number) as Pull;
  const { connect, asked } = connectEmulated(github);
  const read = async () => {
    const { number, base, head } = pull();
    const github = await connect();
    return knownValue(await pullFilesAt(github, { repository: "acme/docs", number, base, head }));
  };
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { github, repository, pull, asked, read, pass };
}

const pathsOf = (files: PullFiles) =>
  files.type === "listed" ? files.files.map(({ path }) => path) : files.type;

test("files are those of the head, although the pull request's list is behind", async () => {
  const { github, repository, pull, read, asked, pass } = scene(1);
  pass(60_000);
  repository.push({ files: { "src/a.ts": "a\n" } }, pull().branch);
  github.lag = { files: 4_000 };
  expect(pathsOf(await read())).toEqual(["docs/0.md", "src/a.ts"]);
  expect(asked).toHaveLength(1);
});

test("more files than a comparison lists are read from the pull request, and its head again", async () => {
  const { read, asked } = scene(301);
  expect(pathsOf(await read())).toHaveLength(301);
  expect(asked.at(-1)).toMatch(/pulls\/1$/);
});

test("files of a head that moves while they are read count for nothing", async () => {
  const { repository, github, pull, read } = scene(301);
  const handle = github.handle.bind(github);
  github.handle = (request, lag) => {
    const isFirstPage = /files\?.*page=1$/.test(request.path);
    const answer = handle(request, lag);
    if (isFirstPage) repository.push({ files: { "src/a.ts": "a\n" } }, pull().branch);
    return answer;
  };
  expect(await read()).toEqual({ type: "moved" });
});

test("a diff that is too large for a comparison is read from the pull request", async () => {
  const { github, read } = scene(2);
  github.addFault({ method: "GET", path: "/compare/", status: 500, times: 2 });
  expect(pathsOf(await read())).toHaveLength(2);
});

largeTest("more than 3,000 files are not listed", async () => {
  const { read } = scene(3_001);
  expect(await read()).toMatchObject({ type: "unlisted" });
});

test("a head that the base contains has no files and is in the base", async () => {
  const { github, repository, pull, read } = scene(1);
  github.site.switches.pushedMergeDelay = 60_000;
  repository.forcePush(pull().head);
  expect(await read()).toMatchObject({ type: "listed", files: [], isInBase: true });
});

test("a comparison that GitHub refuses for another reason is an error", async () => {
  const { github, read } = scene(1);
  github.addFault({ method: "GET", path: "/compare/", status: 403 });
  await expect(read()).rejects.toThrow();
});
