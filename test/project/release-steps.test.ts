import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";
import { parseCommandFile } from "../../emulator/runner/step-folders.ts";
import { expand } from "../../playground/actions/expression.ts";
import type { Job } from "../../scripts/copied/workflows.ts";
import { isNewer, planRelease, TEAM } from "../../scripts/release.ts";
import { workflow } from "./files.ts";

const { publish } = workflow(".github/workflows/release.yml").jobs as Record<"publish", Job>;
const STEPS = (publish.steps ?? []).filter(({ run }) => run !== undefined);

/**
 * Replaces GitHub's command, with the Node of the PATH, whose own path may have spaces: reads releases and refs from a
 * file, and records the changes that it is called for.
 */
const GH = `#!/usr/bin/env node
import { appendFileSync, readFileSync } from "node:fs";
const { releases, refs } = JSON.parse(readFileSync(process.env.STATE, "utf8"));
const args = process.argv.slice(2);
const call = args.map((arg) => arg.replace(process.env.RUNNER_TEMP, "TEMP")).join(" ");
const [noun, verb, name] = args;
if (noun === "release" && verb === "list") console.log(releases.join("\\n"));
else if (noun === "release" && verb === "view") process.exit(releases.includes(name) ? 0 : 1);
else if (noun === "api" && args.length === 2) process.exit(refs.includes(verb.split("/").at(-1)) ? 0 : 1);
else appendFileSync(process.env.CALLS, call + "\\n");
`;

/** Arguments with which GitHub starts a bash that a workflow names. */
const SHELL = ["--noprofile", "--norc", "-eo", "pipefail"];

/** Runs the steps that publish, in a checkout of v1.2.3 without installed packages. */
function runSteps(state: { releases: string[]; refs: string[] }) {
  const root = mkdtempSync(path.join(tmpdir(), "docs agent release-"));
  const at = (name: string) => path.join(root, name);
  try {
    mkdirSync(at("scripts"));
    mkdirSync(path.dirname(at(TEAM)), { recursive: true });
    writeFileSync(at(TEAM), "      - uses: acme/docs-agent-action/land@v1.2.3\n");
    cpSync(path.join(REPOSITORY_ROOT, "scripts/release.ts"), at("scripts/release.ts"));
    writeFileSync(
      at("package.json"),
      '{ "version": "1.2.3", "repository": "github:acme/docs", "type": "module" }',
    );
    writeFileSync(at("CHANGELOG.md"), "# Changelog\n\n## [1.2.3] - 2026-01-31\n\nIt works.\n");
    writeFileSync(at("gh"), GH, { mode: 0o755 });
    writeFileSync(at("state"), JSON.stringify(state));
    for (const name of ["calls", "output"]) writeFileSync(at(name), "");
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@x.invalid", ...args], {
        cwd: root,
        encoding: "utf8",
      }).trim();
    git("init", "--quiet");
    git("commit", "--quiet", "--allow-empty", "--message", "x");
    const files = {
      GITHUB_REPOSITORY: "acme/docs",
      STATE: at("state"),
      CALLS: at("calls"),
      GITHUB_OUTPUT: at("output"),
    };
    const PATH = [root, path.dirname(process.execPath), process.env.PATH].join(path.delimiter);
    for (const step of STEPS) {
      const outputs = parseCommandFile(readFileSync(at("output"), "utf8"));
      const context = { steps: { plan: { outputs } }, github: { token: "token" } };
      if (step.if !== undefined && expand(step.if, context) !== "true") continue;
      const env = Object.entries(step.env ?? {}).map(([name, value]) => [
        name,
        expand(value, context),
      ]);
      const { status, stderr } = spawnSync("bash", [...SHELL, "-c", step.run ?? ""], {
        cwd: root,
        env: { PATH, TAG: "v1.2.3", RUNNER_TEMP: root, ...files, ...Object.fromEntries(env) },
      });
      expect([status, String(stderr)]).toEqual([0, ""]);
    }
    expect(readFileSync(at("notes.md"), "utf8")).toBe("It works.\n");
    return readFileSync(at("calls"), "utf8").replaceAll(git("rev-parse", "HEAD"), "HEAD").trim();
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const RELEASE = "v1.2.3 --title v1.2.3 --notes-file TEMP/notes.md";
const REFS = "repos/{owner}/{repo}/git/refs";
const MOVE = `api --method PATCH ${REFS}/tags/v1 --raw-field sha=HEAD --field force=true`;

test.skipIf(process.platform === "win32").each([
  [
    "the first release is published, and gets its major tag",
    { releases: [], refs: [] },
    [
      `release create ${RELEASE} --latest=true --target HEAD`,
      `api --method POST ${REFS} --raw-field ref=refs/tags/v1 --raw-field sha=HEAD`,
    ],
  ],
  [
    "a release of a tag that exists names no commit, which GitHub could refuse",
    { releases: ["v1.2.2"], refs: ["v1", "v1.2.3"] },
    [`release create ${RELEASE} --latest=true --verify-tag`, MOVE],
  ],
  [
    "a newer release moves the major tag",
    { releases: ["v1.2.2"], refs: ["v1"] },
    [`release create ${RELEASE} --latest=true --target HEAD`, MOVE],
  ],
  [
    "a release that exists is updated, and the other steps are done",
    { releases: ["v1.2.3"], refs: ["v1"] },
    [`release edit ${RELEASE} --latest=true --draft=false`, MOVE],
  ],
  [
    "an older release does not move the major tag",
    { releases: ["v1.3.0"], refs: ["v1"] },
    [`release create ${RELEASE} --latest=false --target HEAD`],
  ],
])("%s", (_, state, calls) => {
  expect(runSteps(state).split("\n")).toEqual(calls);
});

test("no version's tag moves and no major tag goes back, whichever runs fail and are repeated", () => {
  const version = fc
    .tuple(fc.constantFrom(1, 2, 10), fc.nat({ max: 2 }), fc.constantFrom(0, 2, 10))
    .map((numbers) => `v${numbers.join(".")}`);
  // With the number of changes, of two, that are made before the run fails.
  const attempt = fc.tuple(version, fc.nat({ max: 2 }));
  fc.assert(
    fc.property(fc.array(attempt, { maxLength: 10 }), (attempts) => {
      const published = new Set<string>();
      const majors = new Map<string, string>();
      const run = (tag: string, changes: number) => {
        const { major } = planRelease({
          tag,
          commit: tag,
          taggedCommit: published.has(tag) ? tag : undefined,
          version: tag.slice(1),
          changelog: `## [${tag.slice(1)}] - 2026-01-31\nx`,
          team: "",
          repository: "acme/docs",
          home: "acme/docs",
          published: [...published],
        });
        if (changes > 0) published.add(tag);
        if (changes < 2 || major === "") return;
        expect(isNewer(majors.get(major) ?? tag, tag)).toBe(false);
        majors.set(major, tag);
      };
      for (const [tag, changes] of attempts) run(tag, changes);
      for (const [tag] of attempts) run(tag, 2);
      for (const [major, tag] of majors) {
        const released = [...published].filter((other) => other.startsWith(`${major}.`));
        expect(released.filter((other) => isNewer(other, tag))).toEqual([]);
      }
    }),
  );
});
