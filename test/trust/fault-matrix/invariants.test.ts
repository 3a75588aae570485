import { beforeAll, expect, test } from "vitest";
import { ADMIN_KEY } from "../../../emulator/service/state.ts";
import { TOKEN } from "../../support/world/conversation.ts";
import { seenIn } from "./cell.ts";
import { type Cell, cellsByRow, nameOfCell } from "./cells.ts";
import { broken, type Invariant } from "./invariants.ts";
import type { RunEnd, Seen } from "./seen.ts";

/** A run that loses its request, one that cannot poll its job, and one whose request is sent again. */
interface Runs {
  uncertain: Seen;
  refused: Seen;
  green: Seen;
}
let runs: Runs;

const cells = new Map(cellsByRow().flatMap((row) => row.map((cell) => [nameOfCell(cell), cell])));

function cellOf(name: string): Cell {
  const cell = cells.get(name);
  if (cell === undefined) throw new Error(`There is no cell "${name}".`);
  return cell;
}

beforeAll(async () => {
  runs = {
    uncertain: await seenIn(cellOf("create: 502, once")),
    refused: await seenIn(cellOf("poll: 401, for good")),
    green: await seenIn(cellOf("create: 503 Retry-After: 1, once")),
  };
});

test("everything holds in runs as they should be", () => {
  expect(Object.values(runs).flatMap(broken)).toEqual([]);
});

const withResult = (run: Seen, over: Partial<Seen["result"]>): Seen => ({
  ...run,
  result: { ...run.result, ...over },
});
const withOutputs = (run: Seen, over: Record<string, string>): Seen =>
  withResult(run, { outputs: { ...run.result.outputs, ...over } });
const withMessage = (run: Seen, errorMessage: string): Seen => withOutputs(run, { errorMessage });
const withLater = (run: Seen, later: Partial<RunEnd>): Seen => ({
  ...run,
  later: { ...run.undisturbed, accepted: run.accepted, ...later },
});
/** A run that ended in the same way, but in another cell. */
const inCell = (run: Seen, name: string, end = run.end): Seen => ({ ...run, ...cellOf(name), end });

/** Runs in which each invariant does not hold. */
const WRONG: Record<Invariant, (runs: Runs) => Seen[]> = {
  "the service accepts work once": ({ uncertain }) => [{ ...uncertain, accepted: 2 }],
  "nothing is started for nobody, or without GitHub": ({ green }) => [
    { ...green, end: "skipped" },
    { ...green, end: "github-unavailable" },
  ],
  "one comment says that the agent is working": ({ green }) => [
    { ...green, comments: ["working", "working"] },
  ],
  "people are invited once": ({ green }) => [{ ...green, invitations: 2 }],
  "the key is only sent to the service": ({ refused }) => [
    withMessage(refused, `${ADMIN_KEY} is wrong. Check it.`),
    withResult(refused, { summary: ADMIN_KEY }),
    { ...refused, bodies: [ADMIN_KEY] },
  ],
  "the token is only sent to GitHub": ({ green }) => [withOutputs(green, { jobStatus: TOKEN })],
  "a redirect is not followed": ({ uncertain }) => [{ ...uncertain, elsewhere: 1 }],
  "the run ends by itself, in time": ({ green }) => [
    { ...green, within: 1 },
    withResult(green, { signal: "SIGTERM" }),
  ],
  "a run that fails has one error, of the contract": ({ refused, green }) => [
    withOutputs(refused, { errorKind: "" }),
    withOutputs(refused, { errorKind: "unauthorised" }),
    withMessage(refused, ""),
    withMessage(green, "Run again."),
    withResult(refused, { errors: [] }),
  ],
  "an error says what to do": ({ uncertain }) => [
    withMessage(uncertain, "POST /v2/agent/acme-docs/job returned 502."),
    { ...uncertain, end: "internal" },
  ],
  "an error names the request": ({ uncertain }) => [
    withMessage(uncertain, "Run the action with its `job-id`."),
  ],
  "an address that may be wrong is named": ({ uncertain }) => [
    inCell(uncertain, "create: refused, for good"),
  ],
  "a limit is named": ({ uncertain }) => [{ ...uncertain, end: "rate-limited" }],
  "warnings are few, and each is new": ({ green }) => [
    withResult(green, { warnings: ["Again.", "Again.", "Again."] }),
    withResult(green, { warnings: ["1", "2", "3", "4", "5", "6"] }),
  ],
  "messages are sentences for people": ({ green }) => [
    withResult(green, { visible: ["Cannot read properties of null."] }),
  ],
  "GitHub's status is named": ({ green }) => [inCell(green, "reaction: 403, for good")],
  "what fails for good is said": ({ green }) => [
    withResult(inCell(green, "collect: poll: 503, for good"), { warnings: [] }),
  ],
  "polls that fail are said, and that they no longer do": ({ green }) => [
    inCell(green, "poll: 503, once"),
  ],
  "what is aside does not fail the run": ({ refused }) => [
    inCell(refused, "invitation: 403, once", "github-refused"),
  ],
  "a good answer is taken": ({ uncertain }) => [
    inCell(uncertain, "create: wrong content type, once"),
  ],
  "what passes does not fail the run": ({ uncertain }) => [
    inCell(uncertain, "create: refused, once", "service-unavailable"),
    inCell(uncertain, "poll: 503, once", "service-unavailable"),
  ],
  "no run succeeds without what it needs": ({ green }) => [
    inCell(green, "permission: 403, for good"),
    inCell(green, "create: 401, once"),
  ],
  "the error is what went wrong": ({ uncertain, refused }) => [
    { ...refused, end: "forbidden" },
    { ...refused, end: "github-unavailable" },
    { ...uncertain, end: "service-unavailable" },
    inCell(uncertain, "create: 503 Retry-After: 1, for good"),
    inCell(refused, "comments of an earlier attempt: 403, once", "github-unavailable"),
  ],
  "a clear refusal is not asked again": ({ refused }) => [{ ...refused, arrived: 2 }],
  "no request is sent over and over": ({ green }) => [{ ...green, arrived: 101 }],
  "who may not ask gets no comment": ({ green }) => [
    { ...green, end: "skipped", comments: ["error"] },
  ],
  "a job that is known is named": ({ refused }) => [{ ...refused, jobId: "" }],
  "a run that succeeds has its usual outputs": ({ green }) => [
    { ...green, prLink: "" },
    { ...green, status: "" },
  ],
  "the comment says how it ended, or the log does": ({ refused }) => [
    { ...refused, comments: ["working"] },
  ],
  "the next run ends as usual": ({ refused }) => [
    withLater(refused, { end: "github-unavailable" }),
    withLater(refused, { jobId: "job_2" }),
  ],
  "the next run finishes the comment": ({ refused }) => [
    withLater(refused, { comments: ["working"] }),
  ],
  "the next run invites whom this one left out": ({ refused }) => [
    withLater(refused, { invitations: 2 }),
  ],
  "the next run does not ask for the same work": ({ refused }) => [
    withLater(refused, { accepted: 2 }),
  ],
};

test.each(Object.entries(WRONG))("it is noticed if it is not so: %s", (invariant, runsOf) => {
  for (const run of runsOf(runs)) expect(broken(run)).toContain(`Not so: ${invariant}.`);
});

test("an exception holds for its request, its fault and its end alone", () => {
  const brokenIn = (name: string, end: string) =>
    broken({ ...inCell(runs.green, name, end), arrived: 2 });
  expect(brokenIn("message: 409, once", "green")).toEqual([]);
  expect(brokenIn("message: 410, once", "green")).not.toEqual([]);
  expect(brokenIn("create: 409, once", "green")).not.toEqual([]);
  expect(brokenIn("message: 409, once", "bad-request")).toContain(
    "Not so: A busy job takes the follow-up a little later.",
  );
});
