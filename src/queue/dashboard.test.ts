import fc from "fast-check";
import { expect, test } from "vitest";
import { rendered } from "../../emulator/github/rendered-markdown.ts";
import { hostileText } from "../../test/support/arbitrary.ts";
import {
  commentsOf,
  NOW,
  type RunExample,
  stateOf,
  tasksOf,
} from "../../test/support/example-states.ts";
import { runs } from "../../test/support/sample.ts";
import type { QueueTask } from "../inputs/tasks-file.ts";
import { tickedBoxes } from "../ledger/dashboard/boxes.ts";
import { ledgerMarkers } from "../ledger/issue/ledger-markers.ts";
import { makeCheckpoint } from "../ledger/model/checkpoint.ts";
import { readLedger } from "../ledger/model/read-ledger.ts";
import { EMPTY_CHECKPOINT, tickId } from "../ledger/model/record.ts";
import { renderTaskClaim } from "./claim-text.ts";
import { renderQueueDashboard } from "./dashboard.ts";
import { MOST_REMEMBERED, QUEUE_LIMITS } from "./queue-ledger.ts";
import { type TaskChange, taskKey } from "./task-change.ts";
import { viewTasks } from "./task-states.ts";

const PR = "https://github.com/acme/docs/pull/9";
const DOCS_URL = "https://github.com/OWNER/docs-agent-action/blob/main/docs/queue.md";

function render(runs: RunExample[], tasks: QueueTask[], ticked: string[] = []): string {
  const state = stateOf(...runs);
  const views = viewTasks(state, tasks, 3);
  return renderQueueDashboard({ name: "tasks.yml", state, views, ticked, docsUrl: DOCS_URL });
}

const RUNS: RunExample[] = [
  { tasks: [{ id: "a", prLink: PR }, { id: "b" }] },
  {
    tasks: [
      { id: "c", state: "running" },
      { id: "d", state: "failed", reason: "too long", jobId: null, retry: false },
      { id: "e", state: "failed", attempt: 2 },
      { id: "f", state: "uncertain", jobId: null, reason: "no answer" },
    ],
  },
];

test("shows each task in the section that says what to do about it, from top to bottom", () => {
  const body = render(RUNS, tasksOf("a", "b", "c", "d", "e", "f", "g"));
  expect(body).toContain("**2 of 7 tasks done, 1 running, 2 waiting, 2 need a decision.**");
  const sections = body.split(/^## /m).slice(1);
  expect(sections.map((it) => it.split("\n")[0])).toEqual([
    ...["Needs a decision", "In progress", "Waiting", "Done", "Progress"],
  ]);
  const [needsDecision = "", inProgress, waiting, done] = sections;
  expect(needsDecision).toMatch(/`d` `Document d.` — the service refused it: `too long`/);
  expect(needsDecision).toMatch(/`f` `Document f.` — the service may have received it/);
  expect(inProgress).toContain("job `job-c` ← `c`");
  expect(waiting).toMatch(/`e` `Document e.` — again: attempt 3\n.*`g`/);
  expect(done).toMatch(/nothing to change ← `b`[\s\S]*\[docs pull request #?9\]\(.*\) ← `a`/);
});

test("what the file has lost is shown only while it runs", () => {
  const body = render(RUNS, tasksOf("g"));
  expect(body).toContain("**0 of 2 tasks done, 1 running, 1 waiting.**");
  expect(body).not.toContain("`d`");
  expect(body).not.toContain("## Needs a decision");
});

test("a box names the run that handed the task over, and stays ticked", () => {
  const id = tickId("run2.1", taskKey("d"));
  expect(tickedBoxes(render(RUNS, tasksOf("d", "f"), [id]))).toEqual([id]);
});

test("ids and prompts make no box, no heading, no link, no mention and no element", () => {
  fc.assert(
    fc.property(hostileText(), hostileText(), hostileText(), (title, id, reason) => {
      const shapeOf = (one: string, two: string, three: string): string[] => {
        const runs: RunExample[] = RUNS.map(({ tasks }) => ({
          tasks: tasks.map((it) => ({ ...it, id: `${it.id}${two}`, reason: three, jobId: "job" })),
        }));
        const comments = commentsOf(...runs);
        for (const { record } of comments) {
          if (record?.kind !== "claim") continue;
          for (const { handed } of record.batches) for (const it of handed) it.change.title = one;
        }
        const state = readLedger({ checkpoints: [EMPTY_CHECKPOINT], comments, own: [], now: NOW });
        const tasks = ["a", "b", "c", "d", "e", "f", "g"].map((it) => ({
          ...{ id: `${it}${two}`, prompt: one },
        }));
        const views = viewTasks(state, tasks, 3);
        const body = renderQueueDashboard({
          name: two,
          state,
          views,
          ticked: [],
          docsUrl: DOCS_URL,
        });
        expect(tickedBoxes(body)).toEqual([]);
        const claims = comments.flatMap(({ record }) =>
          record?.kind === "claim" ? [renderTaskClaim(record)] : [],
        );
        return [body, ...claims].flatMap(elementsOf);
      };
      expect(shapeOf(title, id, reason)).toEqual(shapeOf("Title", "id", "reason"));
    }),
    { numRuns: runs(40) },
  );
});

/** The elements that a text makes on the page but code, and where its links lead. */
function elementsOf(body: string): string[] {
  const html = rendered(body).replace(/<code>[^<]*<\/code>/g, "");
  const elements = [...html.matchAll(/<!--[^>]*-->|<[^>]+>/g)].map(([element]) => element);
  return elements.filter((element) => !element.startsWith("<!-- again="));
}

test("whatever a queue has to remember, the body stays within what GitHub takes", () => {
  const random = (nth: number) => `${Math.sin(nth).toString(36).slice(3, 12)}-${nth}`;
  const ids = Array.from({ length: MOST_REMEMBERED }, (_, nth) => random(nth));
  const runs = (from: number, to: number, state: "done" | "running" | "failed", age: number) =>
    Array.from(
      { length: Math.ceil((to - from) / 50) },
      (_, nth): RunExample => ({
        tasks: ids.slice(from + nth * 50, Math.min(to, from + nth * 50 + 50)).map((id, at) => ({
          ...{ id, state, attempt: 3, jobId: `${random(from + nth + at)}-${random(at)}-job` },
          ...{ prLink: `${PR}${from + nth * 50 + at}`, reason: `refused because of ${random(at)}` },
        })),
        age,
      }),
    );
  const minute = 60_000;
  const all = [
    ...runs(0, 5_500, "done", 180 * minute),
    ...runs(5_500, 5_900, "failed", 90 * minute),
    ...runs(5_900, 6_000, "running", 5 * minute),
  ];
  const comments = commentsOf(...all);
  const state = readLedger<TaskChange>({
    ...{ checkpoints: [EMPTY_CHECKPOINT], comments, own: [], now: NOW },
  });
  const tasks = ids
    .slice(1_000)
    .map((id) => ({ id, prompt: `${"Document it. ".repeat(20)}${id}` }));
  const views = viewTasks(state, tasks, 3);
  const text = renderQueueDashboard({
    name: "n".repeat(200),
    state,
    views,
    ticked: [],
    docsUrl: DOCS_URL,
  });
  const markers = ledgerMarkers<TaskChange>("queue n", ["mint_key"], "docs");
  const place = { repository: "acme/docs", issue: 1 };
  const record = makeCheckpoint(state, QUEUE_LIMITS);
  const body = `${text}\n\n${markers.write(place, { record, shown: null }, 0)}`;
  expect(body.length).toBeLessThan(65_536);
  // What it remembers is read again.
  const again = readLedger<TaskChange>({
    ...{ checkpoints: [record], comments: comments.slice(-10), own: [], now: NOW },
  });
  expect(markers.verify(body, place)).not.toBeNull();
  expect(ids.slice(0, 5_500).every((id) => again.known.has(taskKey(id)))).toBe(true);
  expect(ids.slice(5_500).some((id) => again.known.has(taskKey(id)))).toBe(false);
});
