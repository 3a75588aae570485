import { expect, test } from "vitest";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { jobOf } from "../../test/support/job.ts";
import { changeOf, stateOf } from "../../test/support/ledger-state.ts";
import type { Delivered } from "../ledger/run/deliver.ts";
import type { LedgerStepResult } from "../ledger/run/step-result.ts";
import { ActionError } from "../runtime/errors.ts";
import { reportUpkeep, reportUpkeepSkipped, type UpkeepReport } from "./report.ts";
import { NOTHING_SHOWN } from "./shown.ts";
import type { UpkeepResult } from "./step-result.ts";

const LINK = "https://github.com/acme/docs/pull/9";

interface Over {
  result?: Partial<UpkeepReport["result"]>;
  upkeepRun?: Partial<UpkeepReport["upkeepRun"]>;
  inputs?: Partial<UpkeepReport["inputs"]>;
  statuses?: Record<string, string>;
  step?: Partial<LedgerStepResult<UpkeepResult>>;
}

function report({ result, upkeepRun, inputs, statuses = {}, step }: Over) {
  const dependencies = dependenciesOf();
  reportUpkeep(
    {
      result: {
        end: { type: "nothing" },
        state: stateOf(),
        finished: [],
        unwritten: "",
        ...result,
      },
      upkeepRun: {
        ...{ chosen: null, delivered: null, shown: NOTHING_SHOWN, waitingIn: () => [] },
        ...upkeepRun,
      },
      inputs: { dryRun: false, maxAttempts: 3, maxJobsPerDay: 24, ...inputs },
      statuses: new Map(Object.entries(statuses)),
      ...{ dashboardUrl: "https://github.com/acme/docs/issues/7", requests: 5 },
    },
    { result: "idle", error: null, unusable: null, ...step },
    dependencies,
  );
  return { ...dependencies.outputs.values, lines: dependencies.lines };
}

function deliveredTo(id: string, over: Partial<Delivered> = {}): Delivered {
  return {
    ...{ sent: { type: "accepted", jobId: id }, job: jobOf("active", { id }), isFollowUp: false },
    ...{ error: null, reason: null, ...over },
  };
}

/** What a run handed over, and the ledger after it. */
function handedOver(...batches: Parameters<typeof stateOf>) {
  const state = stateOf(...batches);
  const handed = state.claims.flatMap(({ claim }) => claim.batches);
  return { state, end: { type: "handed-over" as const, batches: handed } };
}

test("an event that asks for nothing is told in the log, with empty lists", () => {
  const dependencies = dependenciesOf();
  reportUpkeepSkipped("a bot edited the issue", dependencies);
  expect(dependencies.lines).toEqual(["info: Nothing to do: a bot edited the issue."]);
  expect(dependencies.outputs.values).toEqual({
    ...{ result: "idle", changes: "[]", changeCount: "0", finished: "[]" },
  });
});

test("the outputs tell the job, its last known status, and the changes that it took", () => {
  const result = handedOver({ state: "running", jobId: "job1", changes: [changeOf(1)] });
  const upkeepRun = { delivered: deliveredTo("job1") };
  const told = report({ result, upkeepRun, statuses: { job1: "completed" } });
  const { repository, number, sha, title, url, author } = changeOf(1);
  expect(told).toMatchObject({
    ...{ jobId: "job1", status: "completed", prLink: "", changeCount: "1" },
    changes: JSON.stringify([{ repository, number, sha, title, url, author }]),
  });
});

test.each([
  ["1", "uncertain"],
  ["0", "withdrawn"],
  ["0", "failed"],
] as const)("%s change is counted as handed over when its batch is %s", (changeCount, state) => {
  expect(report({ result: handedOver({ state, jobId: null }) })).toMatchObject({ changeCount });
});

test("the outputs tell what ended, and only addresses that are safe", () => {
  const state = stateOf({ prLink: LINK }, { prLink: "javascript:alert(1)" }, { state: "failed" });
  const finished = state.claims.flatMap(({ batches }) => batches);
  const told = report({ result: { state, finished }, statuses: { job2: "archived" } });
  expect(JSON.parse((told as { finished?: string }).finished ?? "")).toMatchObject([
    { jobId: "job1", status: "completed", prLink: LINK, changes: [{ number: 1 }] },
    { jobId: "job2", status: "archived", prLink: null },
    { jobId: "job3", status: "failed", prLink: null },
  ]);
});

test("the pull request of the job that was waited for is told beside it", () => {
  const result = handedOver({ prLink: LINK, jobId: "job1" });
  const finished = result.state.claims.flatMap(({ batches }) => batches);
  const upkeepRun = { delivered: deliveredTo("job1") };
  expect(report({ result: { ...result, finished }, upkeepRun })).toMatchObject({ prLink: LINK });
});

test("what waits counts those on the dashboard, those beyond it, and those handed over again", () => {
  const state = stateOf({ state: "failed" }, { state: "failed", attempt: 3 });
  const shown = { ...NOTHING_SHOWN, more: { count: 10, recent: 0 } };
  const upkeepRun = { shown, waitingIn: () => [changeOf(7), changeOf(8)] };
  expect(report({ result: { state }, upkeepRun })).toMatchObject({
    ...{ waitingCount: "13", needsDecisionCount: "1" },
  });
});

test("a limit is a warning that says whose it is", () => {
  const limited = { step: { result: "limited" as const } };
  expect(report({ ...limited, inputs: { maxJobsPerDay: 2 } }).lines).toContain(
    "warning: 2 jobs were started in 24 hours, as many as `max-jobs-per-day` allows. The changes wait for a later run.",
  );
  const delivered = deliveredTo("", { job: null, reason: "limited" });
  expect(report({ ...limited, upkeepRun: { delivered } }).lines).toContain(
    "warning: The service's limit of 100 uses per project per hour is reached. The changes wait for a later run.",
  );
});

test("a dry run tells what it would send, in the log and the summary", () => {
  const chosen = { changes: [changeOf(1)], target: { type: "new" as const }, prompt: "Do it." };
  const { lines } = report({
    ...{ upkeepRun: { chosen }, inputs: { dryRun: true }, step: { result: "dry-run" as const } },
  });
  expect(lines.slice(0, 3)).toEqual([
    "info: Dry run: nothing was written or started.",
    "info: 1 change would go to a new job:",
    "info: Do it.",
  ]);
  expect(lines[3]).toMatch(
    /^summary: ### Docs upkeep: dry-run\n\nDry run: .*\n\n- `Change 1` `acme\/code#1`\n\n[\s\S]*Do it\.[\s\S]*\n\n\[Dashboard\]\(.*\) · 0 waiting · 5 requests to GitHub$/,
  );
});

test("of a run that could not work with its ledger, only the outputs are written", () => {
  const unusable = new ActionError("github-unavailable", "GitHub does not answer.");
  const told = report({ result: { state: null }, step: { result: "", unusable } });
  expect(told).toMatchObject({ result: "", waitingCount: "0", needsDecisionCount: "0", lines: [] });
});
