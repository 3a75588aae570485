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
  test("pins every action of others to a commit, and says which version that is", () => {
    for (const line of foreignUses(read(file))) expect(line).toMatch(PINNED);
  });

  test("puts nothing from outside into a script", () => {
    for (const { run = "" } of steps(workflow(file))) expect(run).not.toContain("${{");
  });

  test("takes all permissions away before any job has some", () => {
    expect(workflow(file).permissions).toEqual({});
  });

  test("ends each job some time", () => {
    for (const job of Object.values(workflow(file).jobs)) {
      expect(job["timeout-minutes"]).toBeGreaterThan(0);
    }
  });
});

describe.each(EXAMPLES)("%s", (file) => {
  test("uses this action by its major tag", () => {
    const uses = steps(workflow(file)).map((step) => step.uses ?? "");
    const own = uses.filter((it) => it.includes(PROJECT));
    expect(own).not.toEqual([]);
    for (const it of own) expect(it.replace(PROJECT, "")).toMatch(/^(\/[a-z]+)?@v1$/);
  });

  test("waits no longer for the job than the workflow's job may take", () => {
    for (const job of Object.values(workflow(file).jobs)) {
      for (const step of job.steps ?? []) {
        if (!step.uses?.startsWith(`${PROJECT}@`)) continue;
        const wait = Number(step.with?.["timeout-minutes"] ?? 30);
        expect(job["timeout-minutes"]).toBeGreaterThan(wait);
      }
    }
  });

  test("lets no two scheduled runs work at the same time", () => {
    const { on, concurrency } = workflow(file);
    if (Object.hasOwn(on ?? {}, "schedule")) expect(concurrency).toHaveProperty("group");
  });

  test("starts no job because of the list of jobs, which may lack those of version 2", () => {
    expect(read(file)).not.toContain("runningCount");
  });
});

test.each(PAGES)("the workflows in %s put nothing from outside into a script", (page) => {
  for (const block of yamlBlocks(page)) {
    const contents: unknown = parse(block);
    const shown = Array.isArray(contents)
      ? contents
      : Object.hasOwn(contents as object, "jobs")
        ? steps(contents as Workflow)
        : [];
    for (const { run = "" } of shown) expect(run).not.toContain("${{");
  }
});

/** The lines of an example or of a page's workflows that say when they run. */
function schedules(file: string): RegExpMatchArray[] {
  const text = file.endsWith(".yml") ? read(file) : yamlBlocks(file).join("");
  return [...text.matchAll(/^ *- cron: "(?<minute>\S+) (?<hour>\S+) \S+ \S+ \S+"(?<note>.*)$/gm)];
}

test.each([...EXAMPLES, ...PAGES])(
  "%s: nothing runs more than once an hour, or at the full hour, when many do",
  (file) => {
    for (const { groups } of schedules(file)) expect(Number(groups?.minute)).toBeGreaterThan(0);
  },
);

test.each([...EXAMPLES, ...PAGES])("%s tells what running every hour costs, and more", (file) => {
  for (const { groups } of schedules(file).filter((it) => it.groups?.hour === "*")) {
    expect(groups?.note).toMatch(
      /# 730 runs a month(, each billed as .*)?; every 10 minutes: 4,380\.$/,
    );
  }
});

test("the runs of a schedule are those that the page of costs has", () => {
  const rows = [...read("docs/cost.md").matchAll(/^\| 50 \| every (hour|10 minutes) \|.*$/gm)];
  expect(rows.map(([row]) => / (730|4,380) \|/.exec(row)?.[1])).toEqual(["730", "4,380"]);
  expect([...EXAMPLES, ...PAGES].flatMap(schedules).length).toBeGreaterThan(10);
});

/** The steps that check a repository out, in a workflow's or a page's YAML. */
function checkouts(contents: unknown): Step[] {
  const shown = Array.isArray(contents) ? contents : steps({ jobs: {}, ...(contents as object) });
  return (shown as Step[]).filter(({ uses }) => uses?.startsWith("actions/checkout@"));
}

test("no checkout leaves the token in the workspace", () => {
  const contents: unknown[] = [
    ...[...WORKFLOWS, ...EXAMPLES].map(workflow),
    ...PAGES.flatMap(yamlBlocks).map((block) => parse(block)),
  ];
  const found = contents.flatMap(checkouts);
  expect(found.length).toBeGreaterThan(WORKFLOWS.length);
  for (const step of found) expect(step.with).toMatchObject({ "persist-credentials": false });
});

test.each(METADATA)("%s runs on the Node that the project is made with", (file) => {
  expect(parse(read(file)).runs.using).toBe(`node${read(".node-version").trim()}`);
});
