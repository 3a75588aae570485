import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseCommandFile } from "../../emulator/runner/step-folders.ts";
import { expand } from "../../playground/actions/expression.ts";
import type { Job } from "../../scripts/copied/workflows.ts";
import { isNewer, planRelease, TEAM } from "../../scripts/release.ts";
import { workflow } from "./files.ts";
import { scratchRepository } from "./scratch-repository.ts";

const { publish } = workflow(".github/workflows/release.yml").jobs as Record<"publish", Job>;
const STEPS = (publish.steps ?? []).filter(({ run }) => run !== undefined);

/**
 * Replaces GitHub's command, with the Node of the PATH, whose own path may have spaces: reads releases from a file, and
 * records the changes that it is called for.
 */
const GH = `#!/usr/bin/env node
import { appendFileSync, readFileSync } from "node:fs";
const { releases } = JSON.parse(readFileSync(process.env.STATE, "utf8"));
const args = process.argv.slice(2);
const call = args.map((arg) => arg.replace(process.env.RUNNER_TEMP, "TEMP")).join(" ");
const [noun, verb, name] = args;
if (noun === "release" && verb === "list") console.log(releases.join("\\n"));
else if (noun === "release" && verb === "view") process.exit(releases.includes(name) ? 0 : 1);
else appendFileSync(process.env.CALLS, call + "\\n");
`;

/** Arguments with which GitHub starts a bash that a workflow names. */
const SHELL = ["--noprofile", "--norc", "-eo", "pipefail"];

/** Runs the steps that publish, in a scratch repository with the commits of v1.2.3, without installed packages. */
function runSteps(releases: string[]) {
  using repository = scratchRepository();
  const { at, git } = repository;
  expect(repository.release("v1.2.3").status).toBe(0);
  writeFileSync(at("gh"), GH, { mode: 0o755 });
  writeFileSync(at("state"), JSON.stringify({ releases }));
  for (const name of ["calls", "output", "summary"]) writeFileSync(at(name), "");
  const files = {
    GITHUB_REPOSITORY: "acme/docs",
    STATE: at("state"),
    CALLS: at("calls"),
    GITHUB_OUTPUT: at("output"),
    GITHUB_STEP_SUMMARY: at("summary"),
  };
  const PATH = [at("."), path.dirname(process.execPath), process.env.PATH].join(path.delimiter);
  for (const step of STEPS) {
    const outputs = parseCommandFile(readFileSync(at("output"), "utf8"));
    const context = { steps: { plan: { outputs } }, github: { token: "token" } };
    if (step.if !== undefined && expand(step.if, context) !== "true") continue;
    const env = Object.entries(step.env ?? {}).map(([name, value]) => [
      name,
      expand(value, context),
    ]);
    const { status, stderr } = spawnSync("bash", [...SHELL, "-c", step.run ?? ""], {
      cwd: at("."),
      env: { PATH, TAG: "v1.2.3", RUNNER_TEMP: at("."), ...files, ...Object.fromEntries(env) },
    });
    expect([status, String(stderr)]).toEqual([0, ""]);
  }
  expect(readFileSync(at("notes.md"), "utf8")).toBe("It works.\n");
  expect(git("rev-parse", "v1.2.3")).toBe(git("rev-parse", "HEAD"));
  return {
    calls: readFileSync(at("calls"), "utf8").trim(),
    summary: readFileSync(at("summary"), "utf8"),
  };
}

const RELEASE = "v1.2.3 --title v1.2.3 --notes-file TEMP/notes.md";
const MOVE = "git push --force origin 'v1.2.3^{}:refs/tags/v1'";

test.skipIf(process.platform === "win32").each([
  ["the first release", [], `release create ${RELEASE} --latest=true --verify-tag`, MOVE],
  ["a newer release", ["v1.2.2"], `release create ${RELEASE} --latest=true --verify-tag`, MOVE],
  [
    "a release that exists",
    ["v1.2.3"],
    `release edit ${RELEASE} --latest=true --draft=false`,
    MOVE,
  ],
  ["an older release", ["v1.3.0"], `release create ${RELEASE} --latest=false --verify-tag`, ""],
])("%s is published at its tag, and says how to move the major tag", (_, releases, call, move) => {
  const { calls, summary } = runSteps(releases);
  expect(calls).toBe(call);
  if (move === "") expect(summary).toBe("");
  else expect(summary).toContain(move);
});

test("no version's tag moves and no major tag goes back, whichever runs fail and are repeated", () => {
  const version = fc
    .tuple(fc.constantFrom(1, 2, 10), fc.nat({ max: 2 }), fc.constantFrom(0, 2, 10))
    .map((numbers) => `v${numbers.join(".")}`);
  // With the number of changes, of two, that are made before the run fails, or its person forgets the major tag.
  const attempt = fc.tuple(version, fc.nat({ max: 2 }));
  fc.assert(
    fc.property(fc.array(attempt, { maxLength: 10 }), (attempts) => {
      const published = new Set<string>();
      const majors = new Map<string, string>();
      const run = (tag: string, changes: number) => {
        const { major } = planRelease({
          tag,
          commit: tag,
          parent: "abc",
          changed: [TEAM],
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
