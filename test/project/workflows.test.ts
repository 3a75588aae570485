import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { isTrue } from "../../playground/actions/expression.ts";
import {
  CALLS_TEAM,
  type Job,
  PROJECT,
  type Step,
  type Workflow,
  yamlBlocks,
} from "../../scripts/copied/workflows.ts";
import { triggersOf, type WorkflowFile } from "../../scripts/try-examples/workflow.ts";
import {
  COPIED,
  copiedFrom,
  EXAMPLES,
  METADATA,
  PAGES,
  read,
  steps,
  TEMPLATES,
  WORKFLOWS,
  workflow,
} from "./files.ts";

const PINNED = /uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

/** The lines that use an action of somebody else. */
function foreignUses(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim().replace(/^- /, ""))
    .filter((line) => /^uses: /.test(line) && !/^uses: \.\//.test(line) && !line.includes(PROJECT));
}

describe.each([...WORKFLOWS, ...EXAMPLES, ...TEMPLATES])("%s", (file) => {
  test("pins every action of others to a commit, with its version in a comment", () => {
    for (const line of foreignUses(read(file))) expect(line).toMatch(PINNED);
  });

  test("has no expression in a script", () => {
    for (const { run = "" } of steps(workflow(file))) expect(run).not.toContain("${{");
  });

  test("has no permissions outside of its jobs", () => {
    expect(workflow(file).permissions).toEqual({});
  });

  test("has a time limit for each job", () => {
    for (const job of Object.values(workflow(file).jobs)) {
      // A called workflow has limits of its own.
      if (job.uses === undefined) expect(job["timeout-minutes"]).toBeGreaterThan(0);
    }
  });
});

describe.each([...EXAMPLES, ...TEMPLATES])("%s", (file) => {
  test("uses this action by its major tag", () => {
    const { jobs } = workflow(file);
    const uses = [...Object.values(jobs), ...steps({ jobs })].map((part) => part.uses ?? "");
    const own = uses.filter((action) => action.includes(PROJECT) && action !== CALLS_TEAM);
    if (!uses.includes(CALLS_TEAM)) expect(own).not.toEqual([]);
    for (const action of own) expect(action.replace(PROJECT, "")).toMatch(/^(\/[a-z]+)?@v1$/);
  });

  test("waits for the agent's job shorter than the time limit of its own job", () => {
    for (const job of Object.values(copiedFrom(file).jobs)) {
      for (const step of job.steps ?? []) {
        if (!step.uses?.startsWith(`${PROJECT}@`)) continue;
        const wait = Number(step.with?.["timeout-minutes"] ?? 30);
        expect(job["timeout-minutes"]).toBeGreaterThan(wait);
      }
    }
  });

  test("has a concurrency group if it has a schedule, or runs on every push", () => {
    const { on, concurrency, jobs } = copiedFrom(file);
    const isGrouped = ["schedule", "push"].some((event) => Object.hasOwn(on ?? {}, event));
    // That of the team workflow is at its job.
    if (isGrouped) expect(concurrency ?? jobs.hourly?.concurrency).toHaveProperty("group");
  });

  test("does not depend on `runningCount`, because the list of jobs may lack those of version 2", () => {
    expect(read(file)).not.toContain("runningCount");
  });
});

test.each(PAGES)("%s: what uses this action pins every action of others to a commit", (page) => {
  for (const block of yamlBlocks(read(page)).filter((text) => text.includes(`uses: ${PROJECT}`))) {
    for (const line of foreignUses(block)) expect(line).toMatch(PINNED);
  }
});

test.each(PAGES)("the workflows in %s have no expression in a script", (page) => {
  for (const block of yamlBlocks(read(page))) {
    for (const { run = "" } of stepsIn(parse(block))) expect(run).not.toContain("${{");
  }
});

/** The lines with schedules in an example or in a page's workflows. */
function schedules(file: string): RegExpMatchArray[] {
  const text = file.endsWith(".yml") ? read(file) : yamlBlocks(read(file)).join("");
  return [...text.matchAll(/^ *- cron: "(?<minute>\S+) (?<hour>\S+) \S+ \S+ \S+"(?<note>.*)$/gm)];
}

test.each([...EXAMPLES, ...PAGES])(
  "%s: no schedule is more often than hourly, or at the full hour, when GitHub is busy",
  (file) => {
    for (const { groups } of schedules(file)) expect(Number(groups?.minute)).toBeGreaterThan(0);
  },
);

test.each([...EXAMPLES, ...PAGES])(
  "%s: a comment on each hourly schedule has its runs a month",
  (file) => {
    for (const { groups } of schedules(file).filter((line) => line.groups?.hour === "*")) {
      expect(groups?.note).toMatch(/# 730 runs a month; every 10 minutes: 4,380\.$/);
    }
  },
);

test("docs/cost.md has the same numbers of runs as the comments on schedules", () => {
  const rows = [...read("docs/cost.md").matchAll(/^\| every (hour|10 minutes) \| (\S+) \|/gm)];
  expect(rows.map(([, , runs]) => runs)).toEqual(["730", "4,380"]);
  expect([...EXAMPLES, ...PAGES].flatMap(schedules).length).toBeGreaterThan(10);
});

/** The steps in parsed YAML: in a workflow, or in a list of steps. Anything else has none. */
function stepsIn(contents: unknown): Step[] {
  if (Array.isArray(contents)) return contents;
  return Object.hasOwn(Object(contents), "jobs") ? steps(contents as Workflow) : [];
}

/** The steps that check a repository out, in parsed YAML. */
function checkouts(contents: unknown): Step[] {
  return stepsIn(contents).filter(({ uses }) => uses?.startsWith("actions/checkout@"));
}

test("no checkout leaves the token in the workspace", () => {
  const contents: unknown[] = [
    ...[...WORKFLOWS, ...EXAMPLES].map(workflow),
    ...PAGES.flatMap((page) => yamlBlocks(read(page))).map((block) => parse(block)),
  ];
  const checkoutSteps = contents.flatMap(checkouts);
  expect(checkoutSteps.length).toBeGreaterThan(WORKFLOWS.length);
  for (const step of checkoutSteps)
    expect(step.with).toMatchObject({ "persist-credentials": false });
});

test.each(METADATA)("%s runs on the Node of .node-version", (file) => {
  expect(parse(read(file)).runs.using).toBe(`node${read(".node-version").trim()}`);
});

/** Whether a job's `if` lets it run. Of jobs without one, each does. */
function runs({ if: condition }: Job, event_name: string, event: object): boolean {
  const github = { event_name, event, repository: "acme/docs" };
  return condition === undefined || isTrue(condition, { github });
}

/** The workflows with a schedule; act runs one of them on the reader's machine, with local URLs. */
const SCHEDULED = COPIED.filter(({ workflow: copied }) => {
  const isLocal = JSON.stringify(copied).includes("http://localhost");
  return Object.hasOwn(Object(copied.on), "schedule") && !isLocal;
});

test.each(SCHEDULED)(
  "$where runs on its schedule, but not in forks, without secrets",
  ({ workflow: { jobs } }) => {
    const inRepository = (fork: boolean) =>
      Object.values(jobs).filter((job) => runs(job, "schedule", { repository: { fork } }));
    expect(inRepository(false)).not.toEqual([]);
    expect(inRepository(true)).toEqual([]);
  },
);

const ON_COMMENTS = EXAMPLES.filter((file) => "issue_comment" in Object(workflow(file).on));

test.each(ON_COMMENTS)("%s starts no runner for a bot's comment", (file) => {
  const jobs = Object.values(copiedFrom(file).jobs);
  const begun = (type: string) => {
    const comment = { body: "/docs /ask docs: none" };
    const event = { comment, issue: { pull_request: {} }, sender: { type }, repository: {} };
    return jobs.filter((job) => runs(job, "issue_comment", event)).length;
  };
  expect([begun("User"), begun("Bot")]).toEqual([1, 0]);
});

test("no workflow uses `pull_request_target`, which GitHub blocks in public repositories", () => {
  for (const { asWritten } of COPIED)
    expect(JSON.stringify(asWritten.on)).not.toContain("pull_request_target");
});

test("a workflow for merged pull requests leaves out forks, whose runs have no secrets", () => {
  const [docs] = Object.values(workflow("examples/on-merged-pull-request.yml").jobs) as [Job];
  const merged = (full_name: string) =>
    runs(docs, "pull_request", { pull_request: { merged: true, head: { repo: { full_name } } } });
  expect([merged("acme/docs"), merged("writer/docs")]).toEqual([true, false]);
});

const GATES = COPIED.filter(({ workflow: copied }) => {
  const isGate = steps(copied).some(({ uses }) => uses?.includes("/gate@"));
  return isGate && "pull_request" in Object(copied.on);
});

test.each(GATES)(
  "$where runs again when labels or the base change, and for all paths",
  ({ workflow: { on } }) => {
    const { pull_request: filter } = Object(on) as { pull_request: { types: string[] } };
    const types = ["opened", "edited", "reopened", "synchronize", "labeled", "unlabeled"];
    expect(filter.types).toEqual(expect.arrayContaining(types));
    // A required check of a run that never starts is pending for ever.
    expect(Object.keys(filter)).toEqual(["types"]);
  },
);

const STUCK = "docs/troubleshooting.md";

test(`${STUCK} says which file runs for each event of a workflow that users copy`, () => {
  const [, table = ""] = read(STUCK).split("## Which file runs");
  const [named = ""] = table.split("\n## ");
  const events = COPIED.flatMap(({ asWritten: { on } }) =>
    triggersOf({ on: on as WorkflowFile["on"] }),
  );
  const names = new Set(events.map((trigger) => trigger.split(":")[0]));
  expect(names.size).toBeGreaterThan(8);
  for (const name of names) expect(named).toContain(`\`${name}\``);
});

test.each([
  ["a blocked event", "Event 'pull_request_target' is not allowed to trigger Actions workflows"],
  ["a replaced run", "Canceling since a higher priority waiting request"],
  ["an input that is too long", "Argument list too long"],
])(`${STUCK} has GitHub's message for %s among the symptoms`, (_, message) => {
  const [symptoms = ""] = read(STUCK).split("## Which file runs");
  expect(symptoms).toContain(message);
});
