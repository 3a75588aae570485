import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";
import { yamlBlocks } from "../../scripts/copied/workflows.ts";
import { pinned, TEAM } from "../../scripts/release.ts";
import { EXAMPLES, METADATA, PAGES, read, TEMPLATES, WORKFLOWS } from "./files.ts";

/** Neither is an npm package. `.ci/run` and ci.yml install both; `.ci/run` sets these variables. */
const ACTIONLINT = process.env.ACTIONLINT || "actionlint";
const ZIZMOR = process.env.ZIZMOR || "zizmor";

const isInstalled = (command: string) => spawnSync(command, ["--version"]).status === 0;

/** What a linter reports. @param input its standard input */
function lint(command: string, args: string[], input = "") {
  const { status, stdout } = spawnSync(command, args, {
    cwd: REPOSITORY_ROOT,
    encoding: "utf8",
    input,
  });
  return { status, stdout };
}

const FILES = [...WORKFLOWS, ...EXAMPLES, ...TEMPLATES];

/** The workflows in the code blocks of pages. Other blocks are parts of one. */
const ON_PAGES = PAGES.flatMap((page) =>
  yamlBlocks(read(page))
    .filter((block) => {
      const { on, jobs } = Object(parse(block));
      return on !== undefined && jobs !== undefined;
    })
    .map((block) => [page, block] as const),
);

const withActionlint = test.skipIf(!isInstalled(ACTIONLINT));

withActionlint("actionlint finds nothing in the workflows, the examples and the templates", () => {
  expect(FILES.length).toBeGreaterThan(30);
  expect(lint(ACTIONLINT, ["-no-color", ...FILES])).toEqual({ status: 0, stdout: "" });
});

withActionlint("actionlint finds nothing in the workflows of the pages", () => {
  expect(ON_PAGES.length).toBeGreaterThan(10);
  for (const [page, block] of ON_PAGES) {
    // As in .github/actionlint.yaml, which is for files.
    const ignored = 'unexpected key "queue" for "concurrency" section';
    const args = ["-no-color", "-ignore", ignored, "-stdin-filename", `${page}.yml`, "-"];
    expect(lint(ACTIONLINT, args, block)).toEqual({ status: 0, stdout: "" });
  }
});

test.skipIf(!isInstalled(ZIZMOR))("zizmor finds no risk in anything of GitHub Actions", () => {
  const files = [...FILES, ...METADATA, ".github/dependabot.yml"];
  const options = ["--offline", "--no-progress", "--color=never", "--config=.github/zizmor.yml"];
  const { status, stdout } = lint(ZIZMOR, [...options, ...files]);
  expect(stdout).toMatch(/^No findings to report\./m);
  expect(status).toBe(0);
});

test.skipIf(!isInstalled(ZIZMOR))(
  "zizmor finds no unpinned use in the team workflow as released",
  () => {
    const folder = mkdtempSync(path.join(tmpdir(), "docs-agent-zizmor-"));
    try {
      const config = path.join(folder, "zizmor.yml");
      // Organizations that require pins make no exception for anybody.
      writeFileSync(
        config,
        'rules: { unpinned-uses: { config: { policies: { "*": hash-pin } } } }',
      );
      const audit = (name: string, text: string) => {
        const file = path.join(folder, name);
        writeFileSync(file, text);
        const options = ["--offline", "--no-progress", "--color=never", `--config=${config}`];
        return lint(ZIZMOR, [...options, file]);
      };
      const released = audit("released.yml", pinned(read(TEAM), "0".repeat(40), "v9.8.7"));
      expect(released.stdout).toMatch(/^No findings to report\./m);
      expect(released.status).toBe(0);
      const byTag = pinned(read(TEAM), "v9.8.7", "v9.8.7");
      expect(audit("by-tag.yml", byTag).stdout).toContain("error[unpinned-uses]");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

test("both install the same versions of the linters", () => {
  const versions = [".ci/run", ".github/workflows/ci.yml"].map((file) =>
    [...read(file).matchAll(/\b(actionlint@v|zizmor==)([\d.]+\d)/g)].map(([found]) => found),
  );
  expect(versions[0]).toEqual([
    expect.stringMatching(/^actionlint@/),
    expect.stringMatching(/^zizmor=/),
  ]);
  expect(versions[1]).toEqual(versions[0]);
});
