import { describe, expect, test } from "vitest";
import { GitHub } from "../../emulator/github/github.ts";
import type { Repository } from "../../emulator/github/repository.ts";
import { connectEmulated } from "../../test/support/github-client.ts";
import { EMPTY, NOW, revision, source } from "../../test/support/ledger-examples.ts";
import { readerOf } from "../../test/support/source-reader.ts";
import { upkeepInputs } from "../../test/support/upkeep-examples.ts";
import { HistoryReader } from "../github/changes/history-reader.ts";

describe("a branch that the ledger does not know", () => {
  /** Reads a branch beside one that the ledger knows. @param change made after that one was read */
  async function readBeside(
    line: string,
    change: (code: Repository, github: GitHub) => void,
    hasOld = false,
  ) {
    const github = new GitHub(() => NOW);
    const code = github.create("acme/code");
    code.setRef("refs/heads/a", code.tip());
    const cursor = code.push({}, "a");
    change(code, github);
    const { connect } = connectEmulated(github);
    const historyOf = async (name: string) => new HistoryReader(await connect(), name);
    const known = source({ id: code.id, branch: "a", sha: cursor });
    // Left before, at a commit of its own, and deleted.
    const old = source({ id: code.id, branch: "old", sha: "f".repeat(40) });
    const inputs = upkeepInputs({ repositories: line, since: "2026-01-01" });
    const stop = new AbortController().signal;
    let waits = 0;
    const settle = async () => {
      waits += 1;
      github.clearFaults();
    };
    const reading = readerOf(historyOf, inputs, stop, () => 0, settle).read(
      revision({ ...EMPTY, sources: hasOld ? [known, old] : [known] }),
    );
    const [facts] = (await reading).sources;
    return { former: facts?.formerBranch, isAtCursor: facts?.landed.length === 0, waits };
  }

  test.each<[string, string, (code: Repository) => void, boolean]>([
    ["is renamed", "acme/code@b", (code) => code.renameBranch("a", "b"), true],
    [
      "is the new default branch",
      "acme/code",
      (code) => {
        code.setRef("refs/heads/b", code.tip("a"));
        code.defaultBranch = "b";
      },
      true,
    ],
    [
      "is the default branch beside the former, which it does not hold",
      "acme/code",
      () => {},
      false,
    ],
    [
      "is the default branch, and the former was deleted",
      "acme/code",
      (code) => code.setRef("refs/heads/a", null),
      true,
    ],
    [
      "is another one beside the former",
      "acme/code@b",
      (code) => code.setRef("refs/heads/b", code.tip("a")),
      false,
    ],
    [
      "is another one, and the former was deleted",
      "acme/code@b",
      (code) => {
        code.setRef("refs/heads/b", code.tip("main"));
        code.setRef("refs/heads/a", null);
      },
      false,
    ],
    [
      "holds what the former one had, which was deleted",
      "acme/code@b",
      (code) => {
        code.setRef("refs/heads/b", code.tip("a"));
        code.setRef("refs/heads/a", null);
      },
      true,
    ],
  ])("and %s: %s", async (name, line, change, goesOn) => {
    const former = goesOn ? "a" : null;
    // Only what holds the cursor of a branch that still seems to be there may be that one.
    const waits = name === "is another one beside the former" ? 1 : 0;
    expect(await readBeside(line, change)).toEqual({ former, isAtCursor: goesOn, waits });
  });

  test.each<[string, (code: Repository) => void]>([
    ["acme/code@b", (code) => code.renameBranch("a", "b")],
    ["acme/code", (code) => code.setRef("refs/heads/main", code.tip("a"))],
  ])(
    "goes on from the one that it holds, not from another that is gone: %s",
    async (line, change) => {
      expect(await readBeside(line, change, true)).toEqual({
        former: "a",
        isAtCursor: true,
        waits: 0,
      });
    },
  );

  test("goes on from one whose former name an old copy of GitHub's database still shows", async () => {
    const renamed = (code: Repository, github: GitHub) => {
      const body = { name: "a", commit: { sha: code.tip("a") } };
      code.renameBranch("a", "b");
      github.addFault({ path: "/branches/a$", status: 200, body, times: 9 });
    };
    expect(await readBeside("acme/code@b", renamed)).toEqual({
      former: "a",
      isAtCursor: true,
      waits: 1,
    });
  });

  test("goes on from one that GitHub fails to compare it with, if that is gone", async () => {
    const renamed = (code: Repository, github: GitHub) => {
      code.renameBranch("a", "b");
      github.addFault({ path: "/compare/", status: 500, times: 1 });
    };
    expect((await readBeside("acme/code@b", renamed)).former).toBe("a");
  });
});
