import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isNewer, planRelease, ReleaseError, type Wanted } from "./plan.ts";
import { ReleaseGitHub } from "./release-github.ts";

const wantedOf = (tag: string, commit = `commit of ${tag}`): Wanted => ({
  tag,
  commit,
  version: tag.slice(1),
  notes: `Notes of ${tag}.`,
});

/** One run of the release, which fails after so many changes. */
function run(github: ReleaseGitHub, wanted: Wanted, changes = Number.POSITIVE_INFINITY): void {
  let made = 0;
  for (const { change } of planRelease(wanted, github)) {
    if (change === null) continue;
    if (made === changes) return;
    github.apply(change);
    made += 1;
  }
}

/** The repository after these versions were released, one after the other. */
function released(...tags: string[]): ReleaseGitHub {
  const github = new ReleaseGitHub();
  for (const tag of tags) run(github, wantedOf(tag));
  return github;
}

const texts = (wanted: Wanted, github: ReleaseGitHub) =>
  planRelease(wanted, github).map(({ text, change }) => [text, change?.method ?? ""]);

test("a first release makes the tag, the release, and the major tag last", () => {
  expect(planRelease(wantedOf("v1.2.3", "abc"), new ReleaseGitHub())).toEqual([
    {
      text: "tag v1.2.3 at abc",
      change: {
        method: "POST",
        path: "git/refs",
        body: { ref: "refs/tags/v1.2.3", sha: "abc" },
      },
    },
    {
      text: "publish release v1.2.3, as the latest",
      change: {
        method: "POST",
        path: "releases",
        body: {
          tag_name: "v1.2.3",
          name: "v1.2.3",
          body: "Notes of v1.2.3.",
          draft: false,
          make_latest: "true",
        },
      },
    },
    {
      text: "tag v1 at v1.2.3",
      change: { method: "POST", path: "git/refs", body: { ref: "refs/tags/v1", sha: "abc" } },
    },
  ]);
});

describe("a run that failed half-way is finished by the next one", () => {
  test.each([
    ["before anything", 0],
    ["after the tag", 1],
    ["after the release", 2],
    ["after the major tag", 3],
  ])("%s", (_, changes) => {
    const github = released("v1.2.2");
    run(github, wantedOf("v1.2.3"), changes);
    expect(github.tags.v1).toBe(changes < 3 ? "commit of v1.2.2" : "commit of v1.2.3");
    run(github, wantedOf("v1.2.3"));
    const once = released("v1.2.2", "v1.2.3");
    expect([github.tags, github.releases, github.latest]).toEqual([
      once.tags,
      once.releases,
      once.latest,
    ]);
  });
});

test("a run that is repeated has nothing to do", () => {
  const github = released("v1.2.3");
  expect(texts(wantedOf("v1.2.3"), github)).toEqual([
    ["tag v1.2.3 is at commit of v1.2.3", ""],
    ["release v1.2.3, as the latest, is published", ""],
    ["v1 is at v1.2.3", ""],
  ]);
});

test("a tag at another commit is an error, and nothing is changed", () => {
  const github = released("v1.2.3");
  expect(() => planRelease(wantedOf("v1.2.3", "another"), github)).toThrow(
    "v1.2.3 is at commit of v1.2.3, and this run at another. A tag is never moved",
  );
});

test("a tag that was pushed by hand is taken as it is", () => {
  const github = new ReleaseGitHub();
  github.tags["v1.2.3"] = "commit of v1.2.3";
  run(github, wantedOf("v1.2.3"));
  expect(github.moves).toEqual(["v1 commit of v1.2.3"]);
});

test("a release whose notes have changed is updated, not published again", () => {
  const github = released("v1.2.3");
  run(github, { ...wantedOf("v1.2.3"), notes: "Better notes." });
  expect(github.releases).toMatchObject([{ tag: "v1.2.3", notes: "Better notes." }]);
});

test("notes that GitHub hands back with other line ends are the same", () => {
  const github = new ReleaseGitHub();
  const wanted = { ...wantedOf("v1.2.3"), notes: "One.\n\nTwo." };
  run(github, wanted);
  for (const release of github.releases) release.notes = "One.\r\n\r\nTwo.\r\n";
  expect(texts(wanted, github)[1]).toEqual(["release v1.2.3, as the latest, is published", ""]);
});

test("a draft is published, and of a draft and a release the release is kept up to date", () => {
  const github = new ReleaseGitHub();
  const draft = { id: 7, tag: "v1.2.3", name: "", notes: "", isDraft: true };
  github.releases.push(draft);
  run(github, wantedOf("v1.2.3"));
  expect(github.releases).toEqual([
    { id: 7, tag: "v1.2.3", name: "v1.2.3", notes: "Notes of v1.2.3.", isDraft: false },
  ]);
  github.releases.unshift({ ...draft, id: 8 });
  expect(texts(wantedOf("v1.2.3"), github)[1]?.[1]).toBe("");
});

describe("the major tag", () => {
  test("does not go back when an older version is released or repeated", () => {
    const github = released("v1.2.3", "v1.10.0", "v1.2.4");
    expect(github.tags.v1).toBe("commit of v1.10.0");
    expect(github.latest).toBe("v1.10.0");
    run(github, wantedOf("v1.2.3"));
    expect(github.tags.v1).toBe("commit of v1.10.0");
    expect(texts(wantedOf("v1.2.4"), github)[2]).toEqual(["v1 stays at v1.10.0", ""]);
  });

  test("of one major is not that of another", () => {
    const github = released("v1.2.3", "v2.0.0", "v1.3.0", "v10.0.0");
    expect(github.tags).toMatchObject({
      v1: "commit of v1.3.0",
      v2: "commit of v2.0.0",
      v10: "commit of v10.0.0",
    });
    expect(github.latest).toBe("v10.0.0");
  });

  test("does not wait for a newer version that was tagged and never released", () => {
    const github = released("v1.2.3");
    run(github, wantedOf("v1.3.0"), 1);
    run(github, wantedOf("v1.2.4"));
    expect(github.tags.v1).toBe("commit of v1.2.4");
    expect(github.latest).toBe("v1.2.4");
  });
});

test.each(["", "1.2.3", "v1", "v1.2", "v1.2.3-rc.1", "v01.2.3", "v1.2.3\n", "v1.2.3 --x"])(
  "%j is no version",
  (tag) => {
    expect(() => planRelease(wantedOf(tag), new ReleaseGitHub())).toThrow(ReleaseError);
  },
);

test("a version that the bundles would not tell is not released", () => {
  expect(() =>
    planRelease({ ...wantedOf("v1.2.3"), version: "1.2.2" }, new ReleaseGitHub()),
  ).toThrow("package.json has version 1.2.2, not 1.2.3");
});

test("versions are compared by number", () => {
  expect(isNewer("v1.10.0", "v1.9.9")).toBe(true);
  expect(isNewer("v1.9.9", "v1.10.0")).toBe(false);
  expect(isNewer("v1.2.3", "v1.2.3")).toBe(false);
});

test("whatever fails and is repeated, in any order: nothing twice, nothing back, and what is finished is right", () => {
  const version = fc
    .tuple(fc.constantFrom(1, 2, 10), fc.nat({ max: 2 }), fc.constantFrom(0, 2, 10))
    .map((numbers) => `v${numbers.join(".")}`);
  const attempt = fc.tuple(version, fc.nat({ max: 3 }));
  fc.assert(
    fc.property(fc.array(attempt, { maxLength: 20 }), (attempts) => {
      const github = new ReleaseGitHub();
      for (const [tag, changes] of attempts) {
        const before = { ...github.tags };
        run(github, wantedOf(tag, `commit of ${tag}`), changes);
        for (const [name, commit] of Object.entries(github.tags)) {
          const now = commit.replace("commit of ", "");
          const then = before[name]?.replace("commit of ", "") ?? now;
          // No tag of a version is ever moved, and no major tag goes back.
          expect(name.includes(".") ? now === name && then === now : !isNewer(then, now)).toBe(
            true,
          );
          // Users of a major tag never run what was not released.
          if (!name.includes(".")) expect(github.releases.map((it) => it.tag)).toContain(now);
        }
        expect(new Set(github.releases.map((it) => it.tag)).size).toBe(github.releases.length);
      }
      for (const [tag] of attempts) run(github, wantedOf(tag));
      const once = released(...attempts.map(([tag]) => tag));
      expect([github.tags, github.latest]).toEqual([once.tags, once.latest]);
    }),
  );
});
