import { expect, test } from "vitest";
import { GitHub } from "../../emulator/github/github.ts";
import { connectEmulated } from "../../test/support/github-client.ts";
import { EMPTY, NOW, revision, source } from "../../test/support/ledger-examples.ts";
import { refusedRequest } from "../../test/support/octokit-errors.ts";
import { upkeepInputs } from "../../test/support/upkeep-examples.ts";
import { UnusableAnswer } from "../github/api/answer.ts";
import { History } from "../github/changes/history.ts";
import type { UpkeepInputs } from "../inputs/upkeep.ts";
import type { Ledger } from "../ledger/model/ledger.ts";
import { once } from "../runtime/dependencies.ts";
import { SourceReader } from "./read-sources.ts";

function readerOf(
  history: History,
  inputs: UpkeepInputs,
  stop = new AbortController().signal,
  requests = () => 0,
) {
  return new SourceReader({
    inputs,
    repository: "acme/code",
    historyOf: async () => history,
    stop,
    requests,
    readEnded: async () => new Set(),
    readOtherAgents: async () => ({ links: [], branches: [] }),
  });
}

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
  const reader = readerOf(history, upkeepInputs(), stop, () => asked.length);
  const read = await reader.read(revision(ledgerOf(repository.id)));
  return { ...read, tip: repository.tip() };
}

test("a source with more commits than a run can read is read up to a target, and then to its tip", async () => {
  const ledgerOf = (target: string | null) => (id: number) => ({
    ...EMPTY,
    sources: [source({ id, sha: null, target })],
  });
  const endless = (history: History) => {
    const tip = once(() => history.tip("main").then((sha) => history.commit(sha ?? "")));
    history.commitsBack = async (sha) => {
      const commit = await tip();
      if (commit === undefined) return undefined;
      const at = new Date(NOW).toISOString();
      const items = [{ ...commit, sha, committedAt: at, parents: [`${sha}^`] }];
      return { items, isComplete: false };
    };
  };
  const { sources } = await readSources(ledgerOf(null), endless);
  const target = expect.stringMatching(/^[0-9a-f]{40}\^{50}$/);
  expect(sources).toMatchObject([{ landed: [], start: { sha: null }, target }]);
  const { sources: others } = await readSources(ledgerOf("0".repeat(40)), () => {});
  expect(others).toMatchObject([{ target: null }]);
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

test("after a rate limit, a change whose files were not read waits for the next run", async () => {
  const limit = refusedRequest(429, "rate limit");
  const failure = refusedRequest(500, "too large");
  const read = async (error: Error) => {
    const { details } = await readSources(
      () => EMPTY,
      (history) => {
        history.commitFiles = () => Promise.reject(error);
      },
    );
    return [...details.values()].map(({ files }) => files);
  };
  expect(await read(limit)).toEqual([]);
  expect(await read(failure)).toEqual([null]);
});

test("a first run begins at a tag, although a branch has the same name", async () => {
  const inputs = upkeepInputs({ since: "v1" });
  const start = async (refs: Record<string, number>) => {
    const github = new GitHub(() => NOW);
    const repository = github.create("acme/code");
    const shas = [repository.tip(), repository.push(), repository.push()];
    for (const [ref, nth] of Object.entries(refs)) repository.setRef(ref, shas[nth] ?? "");
    const { connect } = connectEmulated(github);
    const history = new History(await connect(), "acme/code");
    const { sources } = await readerOf(history, inputs).read(revision(EMPTY));
    return shas.indexOf(sources[0]?.start.sha ?? "");
  };
  expect(await start({ "refs/tags/v1": 0, "refs/heads/v1": 2 })).toBe(0);
  expect(await start({ "refs/heads/v1": 1 })).toBe(1);
});
