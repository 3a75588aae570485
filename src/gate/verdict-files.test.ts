import { describe, expect, test } from "vitest";
import { CODE, file, judgedOf } from "../../test/support/gate-verdicts.ts";
import type { ChangedFile } from "../github/changes/history-records.ts";
import { MOST_FILES } from "./reasons.ts";

const NEEDED = { verdict: "needed", reason: { code: "no-docs" } } as const;

describe("files", () => {
  const removed = { ...file("docs/a.md"), isRemoved: true };
  const movedOut = { ...file("src/a.txt"), previousPath: "docs/a.md" };
  const movedIn = { ...file("docs/a.md"), previousPath: "src/a.txt" };

  test.each<[string, ChangedFile, string]>([
    ["that was removed", removed, "needed"],
    ["that was moved out of the documentation", movedOut, "needed"],
    ["that was moved into the documentation", movedIn, "included"],
    ["that is a page", file("src/page.mdx"), "included"],
    ["that is a README", file("README.md"), "included"],
    ["that is a README of a folder", file("src/x/README.md"), "included"],
    ["that is a changelog", file("CHANGELOG.md"), "needed"],
    ["that is a change file", file(".changeset/red-cats-jump.md"), "needed"],
    ["that instructs agents", file("AGENTS.md"), "needed"],
  ])("one %s beside code", async (_, changed, verdict) => {
    expect(await judgedOf({ files: [...CODE, changed] })).toMatchObject({ verdict });
  });

  const MANY = Array.from({ length: MOST_FILES }, (_, nth) => file(`src/${nth}.ts`));
  const OTHERS = MANY.map(({ path }) => file(path.replace("src", "lib")));

  test.each<[string, ChangedFile[], string]>([
    ["with code", MANY, "needed"],
    ["with nothing that matches `paths`", OTHERS, "needed"],
    ["with documentation", [...MANY.slice(1), file("docs/a.md")], "included"],
  ])("of more than 3,000, those listed decide: %s", async (_, files, verdict) => {
    const judged = await judgedOf({ hasMore: true, files });
    expect(judged).toMatchObject({ verdict });
    if (verdict === "needed") expect(judged.reason).toEqual({ code: "too-many-files" });
  });

  test.each<[string, ChangedFile[], object]>([
    ["with code", MANY, NEEDED],
    ["with nothing that matches `paths`", OTHERS, { verdict: "not-needed" }],
  ])("of exactly 3,000, all are listed, and decide: %s", async (_, files, expected) => {
    expect(await judgedOf({ files })).toMatchObject(expected);
  });
});
