import { beforeAll, expect, test } from "vitest";
import { API_KEY } from "../../support/scenario.ts";
import { nameOfCell, seenIn } from "./cell.ts";
import { cellsByRow } from "./cells.ts";
import { brokenPromises, type RunEnd, type Seen } from "./promises.ts";

/** A run that loses its request, one that cannot poll its job, and one whose request is sent again. */
const CELLS = {
  uncertain: "create: 502, once",
  refused: "poll: 401, for good",
  green: "create: 503 Retry-After: 1, once",
};
type Name = keyof typeof CELLS;

const seen = new Map<Name, Seen>();

beforeAll(async () => {
  const cells = cellsByRow().flat();
  for (const [name, cellName] of Object.entries(CELLS)) {
    const cell = cells.find((other) => nameOfCell(other) === cellName);
    if (cell === undefined) throw new Error(`There is no cell "${cellName}".`);
    seen.set(name as Name, await seenIn(cell));
  }
});

function seenOf(name: Name): Seen {
  const run = seen.get(name);
  if (run === undefined) throw new Error(`"${name}" did not run.`);
  return run;
}

function withOutputs(run: Seen, outputs: Record<string, string>): Seen {
  return { ...run, result: { ...run.result, outputs: { ...run.result.outputs, ...outputs } } };
}

function withLater(run: Seen, later: Partial<RunEnd>): Seen {
  return { ...run, later: { ...run.undisturbed, accepted: run.accepted, ...later } };
}

test.each(Object.keys(CELLS) as Name[])("a run as it should be breaks no promise: %s", (name) => {
  expect(brokenPromises(seenOf(name))).toEqual([]);
});

const WRONG: readonly [name: string, run: Name, change: (run: Seen) => Seen, broken: RegExp][] = [
  [
    "a second POST after a 502",
    "uncertain",
    (run) => ({ ...run, accepted: 2 }),
    /accepted the request twice/,
  ],
  [
    "a refusal that is not taken as such",
    "refused",
    (run) => ({ ...run, arrived: 2 }),
    /a clear refusal was not taken as such/,
  ],
  [
    "the key in a message",
    "refused",
    (run) => withOutputs(run, { errorMessage: `${API_KEY} is wrong. Check it.` }),
    /the key is in the outputs/,
  ],
  [
    "a failed step without errorKind",
    "refused",
    (run) => withOutputs(run, { errorKind: "" }),
    /errorKind is ""/,
  ],
  [
    "an errorKind that the contract does not have",
    "refused",
    (run) => withOutputs(run, { errorKind: "unauthorised" }),
    /errorKind is "unauthorised"/,
  ],
  [
    "another errorKind than that of the status",
    "refused",
    (run) => ({ ...run, end: "forbidden" }),
    /the error is not what the service said: it ends as forbidden/,
  ],
  [
    "an unexpected error",
    "refused",
    (run) => ({ ...run, end: "internal" }),
    /the error is unexpected/,
  ],
  [
    "an error that does not say what to do",
    "refused",
    (run) => withOutputs(run, { errorMessage: "The key was refused." }),
    /no advice/,
  ],
  ["a job ID that is lost", "refused", (run) => ({ ...run, jobId: "" }), /jobId is ""/],
  ["a pull request that is lost", "green", (run) => ({ ...run, prLink: "" }), /prLink is ""/],
  [
    "a comment that goes on saying that the agent is working",
    "refused",
    (run) => ({ ...run, comments: ["working"] }),
    /the comment says working, not error/,
  ],
  [
    "a redirect that is followed",
    "uncertain",
    (run) => ({ ...run, elsewhere: 1 }),
    /a redirect was followed/,
  ],
  [
    "work that is started though nobody may ask for it",
    "green",
    (run) => ({ ...run, end: "skipped" }),
    /work was started in a run that ends as skipped/,
  ],
  ["a run that takes too long", "green", (run) => ({ ...run, within: 1 }), /it took \d+ ms/],
  [
    "a next run that starts a second job",
    "refused",
    (run) => withLater(run, { accepted: 2 }),
    /asks for the work again/,
  ],
  [
    "a next run that fails, too",
    "refused",
    (run) => withLater(run, { end: "github-unavailable" }),
    /the next run ends as github-unavailable/,
  ],
  [
    "a next run that leaves the comment unfinished",
    "refused",
    (run) => withLater(run, { comments: ["working"] }),
    /does not finish the comment/,
  ],
];

test.each(WRONG)("notices %s", (_, name, change, broken) => {
  const sentences = brokenPromises(change(seenOf(name)));
  expect(sentences).toEqual(expect.arrayContaining([expect.stringMatching(broken)]));
});
