import { expect, test } from "vitest";
import { GitHub } from "../../emulator/github/github.ts";
import { unread as unreadOf } from "../../test/support/facts.ts";
import { connectEmulated } from "../../test/support/github-client.ts";
import { knownValue } from "../../test/support/known.ts";
import {
  change,
  EMPTY,
  group,
  NOW,
  revision as revisionWith,
  source,
} from "../../test/support/ledger-examples.ts";
import { readerOf } from "../../test/support/source-reader.ts";
import { upkeepInputs } from "../../test/support/upkeep-examples.ts";
import type { Ledger } from "../batches/model/ledger.ts";
import type { GitHub as GitHubClient } from "../github/api/client.ts";
import { HistoryReader } from "../github/changes/history-reader.ts";
import { once } from "../runtime/dependencies.ts";
import { known, mapFact, type Unread } from "../runtime/fact.ts";

/** Reads `acme/code` of an emulated GitHub. @param change what its history answers in another way */
async function readSources(
  ledgerOf: (repositoryId: number) => Ledger,
  change: (history: HistoryReader) => void,
  stop = new AbortController().signal,
) {
  const github = new GitHub(() => NOW);
  const repository = github.create("acme/code");
  const { connect, asked } = connectEmulated(github);
  const history = new HistoryReader(await connect(), "acme/code");
  change(history);
  const reader = readerOf(
    async () => history,
    upkeepInputs(),
    stop,
    () => asked.length,
  );
  const read = await reader.read(revisionWith(ledgerOf(repository.id)));
  return { ...read, tip: repository.tip() };
}

test("a source with more commits than a run can read is read up to a target, and then to its tip", async () => {
  const ledgerOf = (target: string | null) => (id: number) => ({
    ...EMPTY,
    sources: [source({ id, sha: null, target })],
  });
  const endless = (history: HistoryReader) => {
    const tip = once(async () =>
      knownValue(await history.commit(knownValue(await history.tip("main")))),
    );
    history.commitsBack = async (sha) => {
      const commit = await tip();
      const at = new Date(NOW).toISOString();
      const items = [{ ...commit, sha, committedAt: at, parents: [`${sha}^`] }];
      return known({ items, isComplete: false });
    };
  };
  const { sources } = await readSources(ledgerOf(null), endless);
  const target = expect.stringMatching(/^[0-9a-f]{40}\^{50}$/);
  expect(sources).toMatchObject([{ landed: [], cursor: { sha: null }, target }]);
  const { sources: others } = await readSources(ledgerOf("0".repeat(40)), () => {});
  expect(others).toMatchObject([{ target: null }]);
});

test("a source that GitHub fails to read in the middle records nothing", async () => {
  const { sources, unread, revision } = await readSources(
    () => EMPTY,
    (history) => {
      history.mergedPulls = async () => unreadOf("unanswered", { reason: "GitHub returned 502" });
    },
  );
  expect(sources).toEqual([]);
  expect(unread).toMatchObject([
    {
      wanted: { repository: "acme/code" },
      unread: { cause: "unanswered", reason: "GitHub returned 502", isPassing: true },
    },
  ]);
  expect(revision.ledger).toMatchObject({
    sources: [],
    unread: { sources: [{ source: "acme/code", reason: "GitHub returned 502" }] },
  });
});

test("a source whose reading a signal interrupts ends the run as cancelled", async () => {
  const controller = new AbortController();
  const interrupted = (history: HistoryReader) => {
    history.mergedPulls = async () => {
      controller.abort();
      return unreadOf("unusable");
    };
  };
  const read = readSources(() => EMPTY, interrupted, controller.signal);
  await expect(read).rejects.toMatchObject({ kind: "cancelled" });
});

test.each([
  ["", new AbortController().signal],
  ["after a signal, ", AbortSignal.abort()],
])("%sa mistake of ours is not an unread source", async (_, stop) => {
  const failing = (history: HistoryReader) => {
    history.mergedPulls = () => Promise.reject(new TypeError("x is not a function"));
  };
  await expect(readSources(() => EMPTY, failing, stop)).rejects.toThrow(TypeError);
});

test("after a rate limit, a change whose files were not read waits for the next run", async () => {
  const limit = unreadOf("limited", { status: 429 });
  const failure = unreadOf("unanswered", { status: 500 });
  const read = async (answer: Unread) => {
    const { chosen } = await readSources(
      () => EMPTY,
      (history) => {
        history.commitFiles = async () => answer;
      },
    );
    return chosen.map(({ files }) => files);
  };
  expect(await read(limit)).toEqual([]);
  expect(await read(failure)).toEqual([null]);
});

test("a first run begins at a tag, although a branch has the same name", async () => {
  const inputs = upkeepInputs({ since: "v1" });
  const changesSince = async (refs: Record<string, number>) => {
    const github = new GitHub(() => NOW);
    const repository = github.create("acme/code");
    const shas = [repository.tip(), repository.push(), repository.push()];
    for (const [ref, nth] of Object.entries(refs)) repository.setRef(ref, shas[nth] ?? "");
    const { connect } = connectEmulated(github);
    const history = new HistoryReader(await connect(), "acme/code");
    const { sources } = await readerOf(async () => history, inputs).read(revisionWith(EMPTY));
    return sources[0]?.landed.length;
  };
  expect(await changesSince({ "refs/tags/v1": 0, "refs/heads/v1": 2 })).toBe(2);
  expect(await changesSince({ "refs/heads/v1": 1 })).toBe(1);
});

test.each([
  ["public", "public", true],
  ["public", "private", true],
  ["internal", "private", true],
  ["private", "internal", false],
  ["secret", "public", false],
  ["secret", "private", true],
  ["public", "secret", true],
  ["private", "secret", false],
])("a %s source, in a workflow of a %s repository, is read: %j", async (visible, own, isRead) => {
  const github = new GitHub(() => NOW);
  const { id } = github.create("acme/other");
  github.create("acme/code");
  const client = await connectEmulated(github).connect();
  const historyOf = async (name: string) => {
    const visibility = name === "acme/other" ? visible : own;
    const get: GitHubClient["repositories"]["source"] = async (given) =>
      mapFact(await client.repositories.source(given), ({ data, lacking }) => {
        const repository = data.repository && {
          ...data.repository,
          visibility: visibility.toUpperCase(),
        };
        return { data: { repository }, lacking };
      });
    const repositories = { ...client.repositories, source: get };
    return new HistoryReader({ ...client, repositories }, name);
  };
  const inputs = upkeepInputs({ repositories: "acme/other" });
  const waits = group(1, {
    changes: [{ ...change(1), key: `${id}#1`, repository: "acme/other" }],
    source: `${id}@main`,
  });
  const sources = [source({ id, repository: "acme/other" })];
  const begun = revisionWith({ ...EMPTY, sources, waiting: [waits] });
  const read = await readerOf(historyOf, inputs).read(begun);
  if (isRead) return expect(read).toMatchObject({ hidden: [], sources: [{ branch: "main" }] });
  const isCertain = visible !== "secret" && own !== "secret";
  expect(read).toMatchObject({ hidden: [{ isCertain }], sources: [], chosen: [] });
  // What may be read again later is not passed over, and not named.
  const { waiting } = read.revision.ledger;
  expect(waiting.flatMap(({ changes }) => changes)).toMatchObject(isCertain ? [] : [{ title: "" }]);
});

test.each<[string, string[], Record<string, string | null>, string[]]>([
  [
    "branches of one repository",
    ["acme/other", "acme/code@a", "acme/code@b"],
    { "acme/other@main": "2026-11-03", "acme/code@a": "2026-11-02", "acme/code@b": null },
    ["code@b", "code@a", "other@main"],
  ],
  [
    "the default branch beside another one",
    ["acme/code", "acme/code@a"],
    { "acme/code@a": "2026-11-01", "acme/code@main": "2026-11-02" },
    ["code@a", "code@main"],
  ],
  [
    "the default branch and one that is new",
    ["acme/code", "acme/code@a"],
    { "acme/code@main": "2026-11-01" },
    ["code@a", "code@main"],
  ],
  [
    "branches whose times are no dates",
    ["acme/other", "acme/code@a", "acme/code@b"],
    { "acme/other@main": "2026-11-03", "acme/code@a": "2026-11-02", "acme/code@b": "soon" },
    ["code@b", "code@a", "other@main"],
  ],
])("of %s, the one that was read longest ago comes first", async (_, lines, readAt, order) => {
  const github = new GitHub(() => NOW);
  const [other, code] = [github.create("acme/other"), github.create("acme/code")];
  for (const branch of ["a", "b"]) code.setRef(`refs/heads/${branch}`, code.tip());
  const sources = Object.entries(readAt).map(([place, at]) => {
    const [repository = "", branch = ""] = place.split("@");
    const { id } = repository === "acme/code" ? code : other;
    return source({ id, repository, branch, sha: code.tip(), readAt: at });
  });
  const { connect } = connectEmulated(github);
  const historyOf = async (name: string) => new HistoryReader(await connect(), name);
  const inputs = upkeepInputs({ repositories: lines.join("\n") });
  const read = await readerOf(historyOf, inputs).read(revisionWith({ ...EMPTY, sources }));
  const names = read.sources.map(({ repository, branch }) => `${repository.fullName}@${branch}`);
  expect(names).toEqual(order.map((name) => `acme/${name}`));
});
