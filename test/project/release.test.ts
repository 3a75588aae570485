import { globSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";
import { notesFor } from "../../scripts/release/notes.ts";
import { evaluated } from "../support/expressions.ts";
import { type Job, METADATA, PAGES, PROJECT, read, workflow } from "./files.ts";

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

describe("the notes of a release", () => {
  test("are what stands under its heading", () => {
    expect(notesFor(CHANGELOG, "v1.10.0")).toBe("### Added\n\n- A new input.");
  });

  test("leave out the addresses at the end of the changelog", () => {
    expect(notesFor(CHANGELOG, "v1.1.0")).toBe("### Fixed\n\n- A wrong word.");
  });

  test("fail for a version that the changelog does not know", () => {
    expect(() => notesFor(CHANGELOG, "v1.1")).toThrow('CHANGELOG.md has no section "## [1.1]".');
  });

  test("fail for a version of which it says nothing", () => {
    expect(() => notesFor(CHANGELOG, "Unreleased")).toThrow(
      "CHANGELOG.md says nothing of Unreleased.",
    );
  });
});

test("the changelog has a place for what is not released, and the kinds of change that its form knows", () => {
  const headings = [...read("CHANGELOG.md").matchAll(/^(##+) (.*)$/gm)];
  const versions = headings.filter(([, level]) => level === "##").map(([, , text]) => text);
  expect(versions[0]).toBe("[Unreleased]");
  for (const it of versions.slice(1)) expect(it).toMatch(/^\[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}$/);
  const kinds = headings.filter(([, level]) => level === "###").map(([, , text]) => text);
  for (const it of kinds) {
    expect(["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]).toContain(it);
  }
});

test("package.json has the newest version of the changelog", () => {
  const [, newest = "0.0.0"] = /^## \[(\d+\.\d+\.\d+)\]/m.exec(read("CHANGELOG.md")) ?? [];
  expect(JSON.parse(read("package.json")).version).toBe(newest);
  const { version, packages } = JSON.parse(read("package-lock.json"));
  expect([version, packages[""].version]).toEqual([newest, newest]);
});

describe("the release workflow", () => {
  interface ReleaseJob extends Job {
    needs?: string[];
    if?: string;
    permissions?: Record<string, string>;
  }
  const release = workflow(".github/workflows/release.yml") as {
    env: { TAG: string };
    concurrency: { group: string };
    jobs: Record<"plan" | "verify" | "publish", ReleaseJob>;
  };
  const { plan, verify, publish } = release.jobs;
  const PUSH = { github: { event_name: "push", ref_name: "v1.2.3", run_id: 7 }, inputs: null };
  const dispatch = (isDryRun: boolean) => ({
    github: { event_name: "workflow_dispatch", ref_name: "main", run_id: 7 },
    inputs: { version: "1.2.3", "dry-run": isDryRun },
  });

  test("releases the tag that was pushed, or the version that was asked for", () => {
    expect(evaluated(release.env.TAG, PUSH)).toBe("v1.2.3");
    expect(evaluated(release.env.TAG, dispatch(true))).toBe("v1.2.3");
  });

  test("publishes nothing in a dry run, which no other run waits for", () => {
    const outcomes = [PUSH, dispatch(false), dispatch(true)].map((it) => [
      evaluated(publish.if ?? "", it),
      evaluated(release.concurrency.group, it),
    ]);
    expect(outcomes).toEqual([
      ["true", "release"],
      ["true", "release"],
      ["false", "dry-run-7"],
    ]);
    expect(JSON.stringify(release)).toMatch(/"dry-run":\{[^}]*"default":true/);
  });

  test("plans with the script that publishes, and publishes after plan and checks, as the last step", () => {
    expect(plan.steps?.at(-1)?.run).toBe('node scripts/release.ts "$TAG" --dry-run');
    expect(publish.steps?.at(-1)?.run).toBe('node scripts/release.ts "$TAG"');
    expect(publish.needs).toEqual(["plan", "verify"]);
    expect(verify.steps?.map(({ run }) => run)).toContain("npm run check");
  });

  test("attests every file that a runner loads", () => {
    const attest = publish.steps?.find(({ uses }) => uses?.startsWith("actions/attest"));
    const subjects = String(attest?.with?.["subject-path"]).trim().split("\n");
    const attested = globSync(subjects, { cwd: REPOSITORY_ROOT, exclude: ["node_modules"] });
    for (const action of METADATA) {
      const { main, post = main } = parse(read(action)).runs as { main: string; post?: string };
      const bundles = [main, post].map((it) => path.join(path.dirname(action), it));
      expect(attested).toEqual(expect.arrayContaining([path.normalize(action), ...bundles]));
    }
  });

  test("is what a page requires that verifies an attestation", () => {
    const commands = PAGES.flatMap((page) =>
      [...read(page).matchAll(/gh attestation verify(?:.*\\\n)*.*/g)].map(([it]) => it),
    );
    expect(commands).not.toEqual([]);
    const signer = `--signer-workflow ${PROJECT}/.github/workflows/release.yml`;
    for (const command of commands) expect(command).toContain(signer);
  });

  test("may write in no job but the one that publishes", () => {
    for (const job of [plan, verify]) expect(job.permissions).toEqual({ contents: "read" });
  });
});
