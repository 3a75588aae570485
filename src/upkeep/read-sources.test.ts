import { expect, test } from "vitest";
import { GitHub } from "../../emulator/github/github.ts";
import { connectEmulated } from "../../test/support/github-client.ts";
import { EMPTY, NOW, revision, source } from "../../test/support/ledger-examples.ts";
import { upkeepInputs } from "../../test/support/upkeep-examples.ts";
import { UnusableAnswer } from "../github/api/answer.ts";
import { History } from "../github/changes/history.ts";
import type { Ledger } from "../ledger/model/ledger.ts";
import { SourceReader } from "./read-sources.ts";

/** Reads `acme/code` of an emulated GitHub. @param change what its history answers in another way */
async function readSources(
  ledgerOf: (repositoryId: number) => Ledger,
  change: (history: History) => void,
  stop = new AbortController().signal,
) {
  const github = new GitHub(() => NOW);
  const repository = github.create("acme/code");
  const { connect, asked } = connectEmulated(github);
  const history = new History(await connect(), "acme/code");
  change(history);
  const reader = new SourceReader({
    inputs: upkeepInputs(),
    repository: "acme/code",
    historyOf: async () => history,
    stop,
    requests: () => asked.length,
    readEnded: async () => new Set(),
    readOtherAgents: async () => ({ links: [], branches: [] }),
  });
  const read = await reader.read(revision(ledgerOf(repository.id)));
  return { ...read, tip: repository.tip() };
}

const tooMany = (history: History) => {
  history.commitsSince = async () => ({ items: [], isComplete: false });
};

test("more commits than a first run can read: set a later `since`", async () => {
  const { sources, unread } = await readSources(() => EMPTY, tooMany);
  expect(sources).toEqual([]);
  expect(unread).toMatchObject([
    {
      repository: "acme/code",
      error: { message: "it gained more commits at once than can be read: set a later `since`" },
    },
  ]);
});

test("more commits than a later run can read: set the cursor in the ledger", async () => {
  const ledgerOf = (id: number) => ({ ...EMPTY, sources: [source({ id, sha: null })] });
  const { unread, tip } = await readSources(ledgerOf, tooMany);
  const way = `to skip them, set the branch's \`sha\` in ledger.json to ${tip}`;
  expect(unread).toMatchObject([
    { error: { message: `it gained more commits at once than can be read: ${way}` } },
  ]);
});

test("a source that GitHub fails to read in the middle records nothing", async () => {
  const error = new UnusableAnswer("GitHub returned 502");
  const { sources, unread } = await readSources(
    () => EMPTY,
    (history) => {
      history.mergedPulls = () => Promise.reject(error);
    },
  );
  expect({ sources, unread }).toEqual({
    sources: [],
    unread: [{ repository: "acme/code", error }],
  });
});

test("a source whose reading a signal interrupts ends the run as cancelled", async () => {
  const controller = new AbortController();
  const interrupted = (history: History) => {
    history.mergedPulls = async () => {
      controller.abort();
      throw new UnusableAnswer("GitHub's response could not be read");
    };
  };
  const read = readSources(() => EMPTY, interrupted, controller.signal);
  await expect(read).rejects.toMatchObject({ kind: "cancelled" });
});

test("a mistake of ours is not an unread source", async () => {
  const failing = (history: History) => {
    history.mergedPulls = () => Promise.reject(new TypeError("x is not a function"));
  };
  await expect(readSources(() => EMPTY, failing)).rejects.toThrow(TypeError);
});
