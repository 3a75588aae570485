import { describe, expect, test } from "vitest";
import { notesFor } from "../../scripts/release-notes.ts";
import { read } from "./files.ts";

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
