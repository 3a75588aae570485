import { globSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";
import { expand } from "../../playground/actions/expression.ts";
import { type Job, PROJECT } from "../../scripts/copied/workflows.ts";
import { type Candidate, isNewer, pinned, planRelease, TEAM } from "../../scripts/release.ts";
import { METADATA, PAGES, read, workflow } from "./files.ts";

const CHANGELOG = `# Changelog

## [Unreleased]

## [1.10.0] - 2026-02-01

### Added

- A new input.

## [1.1.0] - 2026-01-01

### Fixed

- A wrong word.

[1.1.0]: https://github.com/OWNER/docs-agent-action/releases/tag/v1.1.0
`;

/** The commit that holds the bundles. */
const PARENT = "0123456789abcdef0123456789abcdef01234567";

/** A candidate of this changelog. */
const candidate = (tag: string, more: Partial<Candidate> = {}): Candidate => ({
  tag,
  commit: "abc",
  parent: PARENT,
  changed: [TEAM],
  taggedCommit: undefined,
  version: tag.slice(1),
  changelog: CHANGELOG,
  team: pinned(read(TEAM), PARENT, tag),
  repository: PROJECT,
  home: PROJECT,
  published: [],
  ...more,
});

describe("a release", () => {
  test("has the notes under its heading, without the link definitions at the end of the changelog", () => {
    expect(planRelease(candidate("v1.10.0")).notes).toBe("### Added\n\n- A new input.");
    expect(planRelease(candidate("v1.1.0")).notes).toBe("### Fixed\n\n- A wrong word.");
  });

  test("links its notes to the files of its own tag", () => {
    const changelog =
      "## [1.1.0] - 2026-01-01\n\n- [A](docs/a.md#b), [B](SECURITY.md), [C](https://example.com)";
    const { notes } = planRelease(
      candidate("v1.1.0", { changelog, repository: "acme/docs", home: undefined }),
    );
    const files = "https://github.com/acme/docs/blob/v1.1.0";
    expect(notes).toBe(
      `- [A](${files}/docs/a.md#b), [B](${files}/SECURITY.md), [C](https://example.com)`,
    );
  });

  test.each([
    [[], true, "v1"],
    // Another run for the same version.
    [["v1.1.0", "v1.0.9"], true, "v1"],
    // Compared by number, not as text. A tag that is no version is ignored.
    [["v1.0.10", "v0.9.0", "v2", "v9.0.0-rc.1", "nightly"], true, "v1"],
    [["v1.1.1"], false, ""],
    // Version 10 and version 1 have tags of their own.
    [["v10.0.0", "v2.0.0"], false, "v1"],
  ])("beside %j: latest %s, moves the tag '%s'", (published, latest, major) => {
    expect(planRelease(candidate("v1.1.0", { published }))).toMatchObject({ latest, major });
  });

  test.each(["", "1.2.3", "v1", "v1.2", "v1.2.3-rc.1", "v01.2.3", "v1.2.3\n", "v1.2.3 --x"])(
    "%j is no version",
    (tag) => expect(() => planRelease(candidate(tag))).toThrow("is not a version's tag"),
  );

  test.each<[string, Partial<Candidate>, string]>([
    ["package.json has another version", { version: "1.0.9" }, "package.json has version 1.0.9"],
    ["the files name another repository", { home: "acme/docs-agent-action" }, "set-owner acme"],
    ["its tag is at another commit", { taggedCommit: "def" }, "A tag is never moved"],
    [
      "the team workflow uses the actions at another commit",
      { team: pinned(read(TEAM), "abc", "v1.1.0") },
      "team.yml does not use the actions at the commit before this one",
    ],
    [
      "the team workflow names another version",
      { team: pinned(read(TEAM), PARENT, "v1.0.9") },
      "run node scripts/release.ts --commit v1.1.0",
    ],
    [
      "the commit before has other bundles",
      { changed: [TEAM, "dist/root/index.js"] },
      "which has to differ in this file only",
    ],
    [
      "the changelog has no section for it",
      { changelog: "## [1.1]" },
      'no section "## [1.1.0] - DATE"',
    ],
    ["its heading has no date", { changelog: "## [1.1.0]\n\nx" }, "its date is missing"],
    [
      "its date does not exist",
      { changelog: "## [1.1.0] - 2026-02-30\n\nx" },
      "its date is missing",
    ],
    [
      "the changelog says nothing about it",
      { changelog: "## [1.1.0] - 2026-01-31\n" },
      "says nothing about 1.1.0",
    ],
  ])("is refused if %s", (_, more, message) => {
    expect(() => planRelease(candidate("v1.1.0", more))).toThrow(message);
  });
});

test("the team workflow uses each action at one version, and a release at one commit", () => {
  const uses = (text: string) =>
    [...text.matchAll(/uses: [\w-]+\/docs-agent-action\S*@(.+)$/gm)].map(([, at]) => at);
  const before = uses(read(TEAM));
  expect(new Set(before).size).toBe(1);
  expect(before.join()).toMatch(/v\d+\.\d+\.\d+$/);
  const after = pinned(read(TEAM), PARENT, "v9.8.7");
  expect(uses(after)).toEqual(before.map(() => `${PARENT} # v9.8.7`));
  expect(after.replaceAll(`${PARENT} # v9.8.7`, before[0] ?? "")).toBe(read(TEAM));
  expect(uses(pinned(after, "abc", "v9.8.8"))).toEqual(before.map(() => "abc # v9.8.8"));
  expect(before).toHaveLength(5);
});

test("only the project's own actions get the commit", () => {
  const foreign = "- uses: actions/checkout@abc\n- uses: acme/docs-agent-action-demo@v1\n";
  expect(pinned(foreign, PARENT, "v1.2.3")).toBe(foreign);
  expect(pinned("uses: acme/docs-agent-action/land@v1", PARENT, "v1.2.3")).toBe(
    `uses: acme/docs-agent-action/land@${PARENT} # v1.2.3`,
  );
});

test("the changelog has an Unreleased section, and only headings of Keep a Changelog", () => {
  const headings = [...read("CHANGELOG.md").matchAll(/^(##+) (.*)$/gm)];
  const versions = headings.filter(([, level]) => level === "##").map(([, , text]) => text);
  expect(versions[0]).toBe("[Unreleased]");
  for (const version of versions.slice(1)) {
    expect(version).toMatch(/^\[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}$/);
  }
  const kinds = headings.filter(([, level]) => level === "###").map(([, , text]) => text);
  for (const kind of kinds) {
    expect(["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]).toContain(kind);
  }
});

test("the project's version can be released as soon as it is merged", () => {
  const { version } = JSON.parse(read("package.json"));
  const plan = planRelease(
    candidate(`v${version}`, { version, changelog: read("CHANGELOG.md"), published: [] }),
  );
  expect(plan).toMatchObject({ latest: true, notes: expect.stringMatching(/^### \w+\n\n- /) });
});

test("the team workflow is at a version that is no newer than the project's", () => {
  const { version } = JSON.parse(read("package.json"));
  const [, pinnedTo = ""] = /docs-agent-action\S*@(?:\S+ # )?(v\S+)/.exec(read(TEAM)) ?? [];
  expect(pinnedTo).toMatch(/^v\d/);
  expect(isNewer(pinnedTo, `v${version}`)).toBe(false);
});

test("package.json has the newest version of the changelog", () => {
  const [, newest = "0.0.0"] = /^## \[(\d+\.\d+\.\d+)\]/m.exec(read("CHANGELOG.md")) ?? [];
  expect(JSON.parse(read("package.json")).version).toBe(newest);
  const { version, packages } = JSON.parse(read("package-lock.json"));
  expect([version, packages[""].version]).toEqual([newest, newest]);
});

describe("the release workflow", () => {
  interface ReleaseJob extends Job {
    needs?: string | string[];
    if?: string;
    permissions?: Record<string, string>;
  }
  const release = workflow(".github/workflows/release.yml") as {
    env: { TAG: string };
    concurrency: { group: string };
    defaults: { run: { shell: string } };
    jobs: Record<"plan" | "verify" | "live" | "publish", ReleaseJob>;
  };
  const { plan, verify, live, publish } = release.jobs;
  const PUSH = { github: { event_name: "push", ref_name: "v1.2.3", run_id: 7 }, inputs: null };
  const dispatch = (isDryRun: boolean) => ({
    github: { event_name: "workflow_dispatch", ref_name: "main", run_id: 7 },
    inputs: { version: "1.2.3", "dry-run": isDryRun },
  });

  test("releases the tag that was pushed, or the version of its input", () => {
    expect(expand(release.env.TAG, PUSH)).toBe("v1.2.3");
    expect(expand(release.env.TAG, dispatch(true))).toBe("v1.2.3");
  });

  test("publishes nothing in a dry run, which no other run waits for", () => {
    const outcomes = [PUSH, dispatch(false), dispatch(true)].map((event) => [
      expand(publish.if ?? "", event),
      expand(release.concurrency.group, event),
    ]);
    expect(outcomes).toEqual([
      ["true", "release"],
      ["true", "release"],
      ["false", "dry-run-7"],
    ]);
    expect(JSON.stringify(release)).toMatch(/"dry-run":\{[^}]*"default":true/);
  });

  test("publishes after plan and checks, and stops if the list of releases cannot be read", () => {
    expect(publish.needs).toEqual(["plan", "verify", "live"]);
    expect(verify.steps?.map(({ run }) => run)).toContain("npm run check");
    // With an explicit bash, GitHub sets pipefail.
    expect(release.defaults.run.shell).toBe("bash");
    const lists = [plan, publish].flatMap(({ steps }) => steps ?? []).map(({ run = "" }) => run);
    const deciding = lists.filter((run) => run.includes("scripts/release.ts"));
    expect(deciding).toHaveLength(2);
    for (const run of deciding)
      expect(run).toContain("gh release list --limit 1000 --exclude-drafts");
  });

  test("gives write permissions to no commit that is not on main", () => {
    const commands = plan.steps?.map(({ run }) => run);
    expect(commands).toContain("git merge-base --is-ancestor HEAD origin/main");
    expect(live.needs).toBe("plan");
  });

  test("attests every file that a runner loads, and the team workflow", () => {
    const attest = publish.steps?.find(({ uses }) => uses?.startsWith("actions/attest"));
    const subjects = String(attest?.with?.["subject-path"]).trim().split("\n");
    const attested = globSync(subjects, { cwd: REPOSITORY_ROOT, exclude: ["node_modules"] });
    for (const action of METADATA) {
      const { main, post = main } = parse(read(action)).runs as { main: string; post?: string };
      const bundles = [main, post].map((file) => path.join(path.dirname(action), file));
      expect(attested).toEqual(expect.arrayContaining([path.normalize(action), ...bundles]));
    }
    expect(attested).toContain(path.normalize(TEAM));
  });

  test("is the signer that every page with `gh attestation verify` requires", () => {
    const commands = PAGES.flatMap((page) =>
      [...read(page).matchAll(/gh attestation verify(?:.*\\\n)*.*/g)].map(([command]) => command),
    );
    expect(commands).not.toEqual([]);
    const signer = `--signer-workflow ${PROJECT}/.github/workflows/release.yml`;
    for (const command of commands) expect(command).toContain(signer);
  });

  test("has write permissions only in the job that publishes", () => {
    for (const job of [plan, verify]) expect(job.permissions).toEqual({ contents: "read" });
  });
});

test("the trial on GitHub gets the permissions that it asks for", () => {
  const { jobs } = workflow(".github/workflows/release.yml");
  const called = workflow(".github/workflows/live.yml").jobs;
  expect(jobs.live?.permissions).toEqual(called.live?.permissions);
});
