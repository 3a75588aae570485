import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import {
  EXAMPLES,
  METADATA,
  PAGES,
  PROJECT,
  read,
  type Step,
  steps,
  WORKFLOWS,
  type Workflow,
  workflow,
  yamlBlocks,
} from "./files.ts";

const PINNED = /uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

/** The lines that use an action of somebody else. */
function foreignUses(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim().replace(/^- /, ""))
    .filter((line) => /^uses: /.test(line) && !/^uses: \.\//.test(line) && !line.includes(PROJECT));
}

describe.each([...WORKFLOWS, ...EXAMPLES])("%s", (file) => {
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
      expect(job["timeout-minutes"]).toBeGreaterThan(0);
    }
  });
});

describe.each(EXAMPLES)("%s", (file) => {
  test("uses this action by its major tag", () => {
    const uses = steps(workflow(file)).map((step) => step.uses ?? "");
    const own = uses.filter((action) => action.includes(PROJECT));
    expect(own).not.toEqual([]);
    for (const action of own) expect(action.replace(PROJECT, "")).toMatch(/^(\/[a-z]+)?@v1$/);
  });

  test("waits for the agent's job shorter than the time limit of its own job", () => {
    for (const job of Object.values(workflow(file).jobs)) {
      for (const step of job.steps ?? []) {
        if (!step.uses?.startsWith(`${PROJECT}@`)) continue;
        const wait = Number(step.with?.["timeout-minutes"] ?? 30);
        expect(job["timeout-minutes"]).toBeGreaterThan(wait);
      }
    }
  });

  test("has a concurrency group if it has a schedule", () => {
    const { on, concurrency } = workflow(file);
    if (Object.hasOwn(on ?? {}, "schedule")) expect(concurrency).toHaveProperty("group");
  });

  test("does not depend on `runningCount`, because the list of jobs may lack those of version 2", () => {
    expect(read(file)).not.toContain("runningCount");
  });
});

test.each(PAGES)("the workflows in %s have no expression in a script", (page) => {
  for (const block of yamlBlocks(page)) {
    for (const { run = "" } of stepsIn(parse(block))) expect(run).not.toContain("${{");
  }
});

/** The lines with schedules in an example or in a page's workflows. */
function schedules(file: string): RegExpMatchArray[] {
  const text = file.endsWith(".yml") ? read(file) : yamlBlocks(file).join("");
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
      expect(groups?.note).toMatch(
        /# 730 runs a month(, each billed as .*)?; every 10 minutes: 4,380\.$/,
      );
    }
  },
);

test("docs/cost.md has the same numbers of runs as the comments on schedules", () => {
  const rows = [...read("docs/cost.md").matchAll(/^\| 50 \| every (hour|10 minutes) \|.*$/gm)];
  expect(rows.map(([row]) => / (730|4,380) \|/.exec(row)?.[1])).toEqual(["730", "4,380"]);
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
    ...PAGES.flatMap(yamlBlocks).map((block) => parse(block)),
  ];
  const checkoutSteps = contents.flatMap(checkouts);
  expect(checkoutSteps.length).toBeGreaterThan(WORKFLOWS.length);
  for (const step of checkoutSteps)
    expect(step.with).toMatchObject({ "persist-credentials": false });
});

test.each(METADATA)("%s runs on the Node of .node-version", (file) => {
  expect(parse(read(file)).runs.using).toBe(`node${read(".node-version").trim()}`);
});
