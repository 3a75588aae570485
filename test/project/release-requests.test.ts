import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { GitHub } from "../../emulator/github/github.ts";
import { OWNER, tokenOf } from "../../emulator/github/people.ts";
import type { Repository } from "../../emulator/github/repository.ts";
import { isNewer, release, type Send } from "../../scripts/release/release.ts";

let github: GitHub;
let repository: Repository;
/** What was said of each step. */
let lines: string[];
/** Every request that changes something, `METHOD path`. */
let changes: string[];

function open(): void {
  github = new GitHub();
  repository = github.create("octo/docs");
  [lines, changes] = [[], []];
}
beforeEach(open);

const send: Send = async (method, path, body) => {
  const { status, body: text } = github.handle({
    ...{ method, path: `/repos/octo/docs/${path}`, body: JSON.stringify(body ?? {}) },
    headers: { authorization: `Bearer ${tokenOf(OWNER)}` },
  });
  if (method !== "GET") changes.push(`${method} ${path}`);
  if (status === 404) return undefined;
  if (status >= 300) throw new Error(`${status}: ${text}`);
  return JSON.parse(String(text));
};

/** A connection that is cut at a change. @param isReceived whether GitHub still makes it */
function cutAt(change: number, isReceived = false): Send {
  let made = 0;
  return async (method, path, body) => {
    if (method === "GET") return send(method, path, body);
    made += 1;
    if (made <= change) return send(method, path, body);
    if (isReceived) await send(method, path, body);
    throw new Error("the connection was cut");
  };
}

const commits = new Map<string, string>();
beforeEach(() => commits.clear());

/** The commit of a version: one of its own. */
function commitOf(tag: string): string {
  const known = commits.get(tag) ?? repository.push({ message: tag });
  commits.set(tag, known);
  return known;
}

function run(tag: string, by = send, more: { notes?: string; isDryRun?: boolean } = {}) {
  const { notes = `Notes of ${tag}.`, isDryRun = false } = more;
  const wanted = { tag, commit: commitOf(tag), version: tag.slice(1), notes };
  return release(wanted, by, { isDryRun, say: (line) => void lines.push(line) });
}

const tagged = (name: string) => repository.refs.get(`refs/tags/${name}`);
const tagsOf = () => [...repository.refs].filter(([ref]) => ref.startsWith("refs/tags/"));
const released = () => repository.releases.map(({ tag_name }) => tag_name);

test("a release is made by three requests, the major tag last, and repeated by none", async () => {
  await run("v1.2.3");
  expect(changes).toEqual(["POST git/refs", "POST releases", "POST git/refs"]);
  expect(repository.releases).toMatchObject([{ tag_name: "v1.2.3", body: "Notes of v1.2.3." }]);
  await run("v1.2.3");
  expect(changes).toHaveLength(3);
  const commit = commitOf("v1.2.3");
  expect(lines).toEqual([
    `Done: tag v1.2.3 at ${commit}.`,
    "Done: publish release v1.2.3, as the latest.",
    "Done: tag v1 at v1.2.3.",
    `Nothing to do: tag v1.2.3 is at ${commit}.`,
    "Nothing to do: release v1.2.3, as the latest, is published.",
    "Nothing to do: v1 is at v1.2.3.",
  ]);
});

test("a dry run says what would be done, and changes nothing", async () => {
  await run("v1.2.3", send, { isDryRun: true });
  expect(changes).toEqual([]);
  expect(lines).toEqual([
    `Would do: tag v1.2.3 at ${commitOf("v1.2.3")} (POST git/refs).`,
    "Would do: publish release v1.2.3, as the latest (POST releases).",
    "Would do: tag v1 at v1.2.3 (POST git/refs).",
  ]);
});

test.each([0, 1, 2])("what is cut off at change %i is finished by the next run", async (change) => {
  for (const isReceived of [false, true]) {
    open();
    commits.clear();
    await run("v1.2.2");
    await expect(run("v1.2.3", cutAt(change, isReceived))).rejects.toThrow("was cut");
    if (change < 2 || !isReceived) expect(tagged("v1")).toBe(commitOf("v1.2.2"));
    await run("v1.2.3");
    expect(released()).toEqual(["v1.2.2", "v1.2.3"]);
    expect(tagged("v1")).toBe(commitOf("v1.2.3"));
  }
});

test("a tag at another commit is an error, and nothing is changed", async () => {
  repository.setRef("refs/tags/v1.2.3", commitOf("another"));
  await expect(run("v1.2.3")).rejects.toThrow("A tag is never moved");
  expect(changes).toEqual([]);
});

test("annotated tags count by their commit, and every page of releases is read", async () => {
  const object = commitOf("v1.2.3");
  const tag = { tag: "v1.2.3", message: "x", object, type: "commit" };
  const made = await send<{ sha: string }>("POST", "git/tags", tag);
  await send("POST", "git/refs", { ref: "refs/tags/v1.2.3", sha: made?.sha });
  for (let patch = 0; patch < 150; patch++) {
    await send("POST", "releases", { tag_name: `v1.3.${patch}` });
  }
  await run("v1.2.3");
  expect(lines).toEqual([
    `Nothing to do: tag v1.2.3 is at ${object}.`,
    "Done: publish release v1.2.3.",
    "Nothing to do: v1 stays at v1.3.149.",
  ]);
});

test("a release whose notes have changed is updated, not published again", async () => {
  await run("v1.2.3");
  for (const it of repository.releases) it.body = "Notes of v1.2.3.\r\n";
  await run("v1.2.3");
  expect(changes).toHaveLength(3);
  await run("v1.2.3", send, { notes: "Better notes." });
  expect(repository.releases).toMatchObject([{ tag_name: "v1.2.3", body: "Better notes." }]);
});

test("a draft is published", async () => {
  await send("POST", "releases", { tag_name: "v1.2.3", draft: true });
  await run("v1.2.3");
  expect(repository.releases).toMatchObject([{ draft: false, body: "Notes of v1.2.3." }]);
});

describe("the major tag", () => {
  test("does not go back, and that of one major is not that of another", async () => {
    for (const tag of ["v1.2.3", "v1.10.0", "v2.0.0", "v1.2.4", "v10.0.0"]) await run(tag);
    expect(tagged("v1")).toBe(commitOf("v1.10.0"));
    expect(tagged("v2")).toBe(commitOf("v2.0.0"));
    expect(tagged("v10")).toBe(commitOf("v10.0.0"));
    expect(lines).toContain("Done: publish release v1.2.4.");
  });

  test("does not wait for a newer version that was tagged and never released", async () => {
    await run("v1.2.3");
    await expect(run("v1.3.0", cutAt(1))).rejects.toThrow("was cut");
    await run("v1.2.4");
    expect(tagged("v1")).toBe(commitOf("v1.2.4"));
  });
});

test.each(["", "1.2.3", "v1", "v1.2", "v1.2.3-rc.1", "v01.2.3", "v1.2.3\n", "v1.2.3 --x"])(
  "%j is no version",
  async (tag) => {
    await expect(run(tag)).rejects.toThrow("is not a version's tag");
  },
);

test("a version that the bundles would not tell is not released", async () => {
  const wanted = { tag: "v1.2.3", commit: "abc", version: "1.2.2", notes: "" };
  const made = release(wanted, send, { isDryRun: false, say: () => {} });
  await expect(made).rejects.toThrow("package.json has version 1.2.2, not 1.2.3");
});

test("whatever fails and is repeated, in any order: nothing twice, nothing back, and what is finished is right", async () => {
  const version = fc
    .tuple(fc.constantFrom(1, 2, 10), fc.nat({ max: 2 }), fc.constantFrom(0, 2, 10))
    .map((numbers) => `v${numbers.join(".")}`);
  const attempt = fc.tuple(version, fc.nat({ max: 3 }));
  await fc.assert(
    fc.asyncProperty(fc.array(attempt, { maxLength: 10 }), async (attempts) => {
      open();
      commits.clear();
      const versionAt = (sha: string) => [...commits].find(([, it]) => it === sha)?.[0] ?? "";
      for (const [tag, change] of attempts) {
        const before = new Map(tagsOf());
        await run(tag, cutAt(change)).catch(() => {});
        for (const [ref, sha] of tagsOf()) {
          const name = ref.replace("refs/tags/", "");
          const [then, now] = [versionAt(before.get(ref) ?? sha), versionAt(sha)];
          // No tag of a version is ever moved, and no major tag goes back.
          const isRight = name.includes(".") ? now === name && then === now : !isNewer(then, now);
          expect(isRight).toBe(true);
          // Users of a major tag never run what was not released.
          if (!name.includes(".")) expect(released()).toContain(now);
        }
        expect(new Set(released()).size).toBe(released().length);
      }
      for (const [tag] of attempts) await run(tag);
      const newest = (major: string) =>
        attempts
          .map(([tag]) => tag)
          .filter((tag) => tag.startsWith(`${major}.`))
          .reduce((one, other) => (isNewer(one, other) ? one : other));
      for (const [ref, sha] of tagsOf()) {
        const name = ref.replace("refs/tags/", "");
        if (!name.includes(".")) expect(versionAt(sha)).toBe(newest(name));
      }
    }),
  );
});
