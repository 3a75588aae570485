import { expect, test } from "vitest";
import { expand } from "../../playground/actions/expression.ts";
import type { Workflow } from "../../scripts/copied/workflows.ts";
import { comment, newIssue, review, reviewComment } from "../support/phrase-events.ts";
import { CALLERS, COPIED, copiedFrom, EXAMPLES, read, workflow } from "./files.ts";

/** The examples that outsiders can start, with the phrase that they wait for. */
const OPEN = EXAMPLES.flatMap((file) => {
  const text = JSON.stringify(workflow(file));
  const phrase = ["/ask", "/docs"].find((known) => text.includes(`'${known}'`));
  const isOpen = "issue_comment" in Object(workflow(file).on);
  return isOpen && phrase !== undefined ? [[file, phrase] as const] : [];
});

/** The group that a run of an example joins. */
function groupOf(file: string, event: unknown, runId: number): string {
  const [group = ""] = groupsOf(copiedFrom(file)).filter((text) =>
    text.includes("author_association"),
  );
  expect(group).toContain("github.run_id");
  const github = { event, event_name: "issue_comment", run_id: runId, workflow: "Docs" };
  return expand(group, { github });
}

interface Concurrency {
  group: string;
  queue?: string;
  "cancel-in-progress"?: boolean;
}

/** What a workflow and its jobs have under `concurrency`. */
function concurrenciesOf({ concurrency, jobs }: Workflow): Concurrency[] {
  return [concurrency, ...Object.values(jobs).map((job) => job.concurrency)]
    .filter((value) => value !== undefined)
    .map((value) => (typeof value === "string" ? { group: value } : (value as Concurrency)));
}

/** The groups of a workflow and of its jobs. */
function groupsOf(file: Workflow): string[] {
  return concurrenciesOf(file).map(({ group }) => group);
}

/** Events of strangers, on issues and pull requests of a maintainer and on their own. */
const STRANGERS_EVENTS = ["NONE", "CONTRIBUTOR", "FIRST_TIME_CONTRIBUTOR"].flatMap(
  (author_association) => {
    const theirs = { author_association, body: "/docs /ask", number: 7 };
    const ours = { ...theirs, author_association: "OWNER" };
    return [
      ...["created", "edited", "deleted"].flatMap((action) => [
        { name: "issue_comment", event: { action, comment: theirs, issue: ours } },
        {
          name: "pull_request_review_comment",
          event: { action, comment: theirs, pull_request: ours },
        },
        { name: "discussion_comment", event: { action, comment: theirs, discussion: ours } },
      ]),
      ...["submitted", "edited", "dismissed"].map((action) => ({
        name: "pull_request_review",
        event: { action, review: theirs, pull_request: ours },
      })),
      ...["opened", "edited", "closed", "reopened", "deleted"].flatMap((action) => [
        { name: "issues", event: { action, issue: theirs } },
        { name: "pull_request_target", event: { action, pull_request: theirs } },
        { name: "discussion", event: { action, discussion: theirs } },
      ]),
      ...["fork", "gollum", "watch"].map((name) => ({ name, event: {} })),
    ];
  },
);

/** Each group that a stranger's event joins, with that event. */
const JOINED = COPIED.flatMap(({ where, workflow: copied }) =>
  groupsOf(copied).flatMap((group) =>
    STRANGERS_EVENTS.filter(({ name }) => name in Object(copied.on)).map(({ name, event }) => {
      const groupOfRun = (run_id: number) =>
        expand(group, { github: { event, event_name: name, run_id, workflow: "Docs" } });
      return { where, name, action: Object(event).action, groupOfRun };
    }),
  ),
);

test.each(JOINED)("$where: a stranger's $name $action has a group of its own", ({ groupOfRun }) => {
  expect(groupOfRun(1)).not.toBe(groupOfRun(2));
});

const BY_MEMBER = { author_association: "MEMBER" };

test.each(OPEN)(
  "%s: requests of the project's people on an issue run one at a time",
  (file, phrase) => {
    const groups = ["OWNER", "MEMBER", "COLLABORATOR"].map((author_association, index) => {
      const { event } = comment(`${phrase} explain`, { remark: { author_association } });
      return groupOf(file, event, 1000 + index);
    });
    expect(new Set(groups).size).toBe(1);
    const { event } = comment(`${phrase} explain`, { number: 8, remark: BY_MEMBER });
    expect(groups).not.toContain(groupOf(file, event, 1004));
  },
);

test("reviews, their comments and new issues share the group of their issue or pull request", () => {
  const file = "examples/ask-by-comment.yml";
  const events = [
    comment("/docs explain", { remark: BY_MEMBER }),
    reviewComment("/docs explain", { remark: BY_MEMBER }),
    review("/docs explain", { remark: BY_MEMBER }),
    newIssue("/docs explain", { subject: BY_MEMBER }),
  ];
  const groups = events.map(({ event }, index) => groupOf(file, event, 1000 + index));
  expect(new Set(groups)).toEqual(new Set(["Docs-7"]));
});

/** The examples that run when anybody edits an issue. */
const ON_EDITS = EXAMPLES.filter((file) => "issues" in Object(workflow(file).on)).filter((file) =>
  read(file).includes("types: [edited]"),
);

test.each(ON_EDITS)("%s: scheduled and manual runs run one at a time", (file) => {
  const { group = "" } = Object(workflow(file).concurrency) as { group?: string };
  const groupFor = (event_name: string, run_id: number) =>
    expand(group, { github: { event_name, run_id, workflow: "Docs" } });
  expect(groupFor("schedule", 3)).toBe(groupFor("workflow_dispatch", 4));
});

/** Its group is for all workflows that start jobs. */
const SHARED = "examples/scheduled-one-at-a-time.yml";
const GROUPED = COPIED.filter(
  ({ where, workflow: copied }) => where !== SHARED && groupsOf(copied).length > 0,
);

test.each(GROUPED)(
  "$where shares no group with another workflow of its repository",
  ({ workflow: copied }) => {
    for (const group of groupsOf(copied)) expect(group).toContain("github.workflow");
  },
);

test("no two jobs of a run are in one group, in which one would wait for the other", () => {
  const theirs = { author_association: "NONE", body: "/docs explain" };
  const events = [
    ["schedule", {}],
    ["workflow_dispatch", {}],
    ["issue_comment", { comment: theirs, issue: { number: 7 } }],
    ["issue_comment", { comment: { ...theirs, ...BY_MEMBER }, issue: { number: 7 } }],
  ] as const;
  for (const copied of CALLERS.map(({ workflow: caller }) => caller)) {
    for (const [event_name, event] of events) {
      const github = { event, event_name, run_id: 1, workflow: "Docs" };
      const groups = groupsOf(copied).map((group) => expand(group, { github }));
      expect(groups).toHaveLength(2);
      expect(new Set(groups).size).toBe(2);
    }
  }
});

test("a run and its job are never in one group, which GitHub would cancel", () => {
  for (const { workflow: copied } of GROUPED) {
    const { on, concurrency, jobs } = copied;
    const [outer] = concurrenciesOf({ concurrency, jobs: {} });
    if (outer === undefined) continue;
    for (const { group } of concurrenciesOf({ jobs })) {
      for (const event_name of Object.keys(Object(on))) {
        const github = { event: {}, event_name, run_id: 1, workflow: "Docs" };
        expect(expand(group, { github })).not.toBe(expand(outer.group, { github }));
      }
    }
  }
});

test.each(OPEN)("%s: no request replaces another one that waits", (file) => {
  const groups = concurrenciesOf(copiedFrom(file));
  const asking = groups.filter(({ group }) => group.includes("author_association"));
  expect(asking.map(({ queue }) => queue)).toEqual(["max"]);
});

test("a group in which all runs wait cancels none, which GitHub does not allow", () => {
  const all = COPIED.flatMap(({ workflow: copied }) => concurrenciesOf(copied));
  const waiting = all.filter(({ queue }) => queue !== undefined);
  expect(waiting.length).toBeGreaterThan(OPEN.length);
  for (const one of waiting) expect(one).not.toHaveProperty("cancel-in-progress");
});

test("no workflow for GitHub Enterprise Server has `queue`, which is a feature of github.com", () => {
  expect(read("examples/enterprise-server.yml")).not.toMatch(/^\s*queue:/m);
});
