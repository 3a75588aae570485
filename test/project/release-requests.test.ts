import { expect, test } from "vitest";
import { release } from "../../scripts/release/release.ts";
import { ReleaseGitHub } from "../../scripts/release/release-github.ts";
import { json } from "../support/answers.ts";
import { startFaultyServer } from "../support/faulty-server.ts";
import { releaseAnswer } from "../support/release-answer.ts";

const WANTED = { tag: "v1.2.3", commit: "abc", version: "1.2.3", notes: "Notes." };

async function open(github = new ReleaseGitHub(), options?: { annotated: string[] }) {
  const server = await startFaultyServer({ fallback: releaseAnswer(github, options) });
  const repository = { apiUrl: server.url, name: "octo/docs", token: "ghs_x" };
  const lines: string[] = [];
  return {
    ...{ server, github, lines },
    run: (isDryRun = false) =>
      release(WANTED, repository, { isDryRun, say: (line) => void lines.push(line) }),
    written: () => server.requests.filter(({ method }) => method !== "GET").map(({ path }) => path),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

test("a release is made by three requests, and repeated by none", async () => {
  await using it = await open();
  await it.run();
  expect(it.written()).toEqual([
    "/repos/octo/docs/git/refs",
    "/repos/octo/docs/releases",
    "/repos/octo/docs/git/refs",
  ]);
  expect(it.server.requests[0]?.headers.authorization).toBe("Bearer ghs_x");
  await it.run();
  expect(it.written()).toHaveLength(3);
  expect(it.lines).toEqual([
    "Done: tag v1.2.3 at abc.",
    "Done: publish release v1.2.3, as the latest.",
    "Done: tag v1 at v1.2.3.",
    "Nothing to do: tag v1.2.3 is at abc.",
    "Nothing to do: release v1.2.3, as the latest, is published.",
    "Nothing to do: v1 is at v1.2.3.",
  ]);
});

test("a dry run says what would be done, and changes nothing", async () => {
  await using it = await open();
  await it.run(true);
  expect(it.written()).toEqual([]);
  expect(it.lines).toEqual([
    "Would do: tag v1.2.3 at abc (POST git/refs).",
    "Would do: publish release v1.2.3, as the latest (POST releases).",
    "Would do: tag v1 at v1.2.3 (POST git/refs).",
  ]);
});

test("when GitHub refuses the release, the major tag stays, and the next run goes on", async () => {
  await using it = await open();
  it.server.on("POST /repos/octo/docs/releases", json(502, { message: "Bad gateway" }));
  await expect(it.run()).rejects.toThrow("GitHub answered POST releases with 502");
  expect(it.github.tags).toEqual({ "v1.2.3": "abc" });
  it.server.on("POST /repos/octo/docs/releases", releaseAnswer(it.github));
  await it.run();
  expect(it.github.moves).toEqual(["v1.2.3 abc", "v1 abc"]);
});

test("a release that was made although its answer was lost is not made twice", async () => {
  await using it = await open();
  it.server.on("POST /repos/octo/docs/releases", async (exchange) => {
    it.github.apply({
      method: "POST",
      path: "releases",
      body: JSON.parse(exchange.request.body.toString()),
    });
    exchange.socket.destroy();
  });
  await expect(it.run()).rejects.toThrow();
  await it.run();
  expect(it.github.releases).toHaveLength(1);
  expect(it.github.tags.v1).toBe("abc");
});

test("annotated tags count by their commit, and every page of tags and releases is read", async () => {
  const github = new ReleaseGitHub();
  for (let patch = 0; patch < 150; patch++) {
    const tag = `v1.3.${patch}`;
    github.tags[tag] = `commit ${patch}`;
    github.releases.push({ id: patch, tag, name: tag, notes: "", isDraft: false });
  }
  github.tags["v1.2.3"] = "abc";
  github.tags.v1 = "commit 149";
  github.latest = "v1.3.149";
  await using it = await open(github, { annotated: ["v1.2.3", "v1"] });
  await it.run();
  expect(it.lines).toEqual([
    "Nothing to do: tag v1.2.3 is at abc.",
    "Done: publish release v1.2.3.",
    "Nothing to do: v1 stays at v1.3.149.",
  ]);
});
