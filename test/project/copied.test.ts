import { expect, test } from "vitest";
import { groupsOf, startedBy } from "../../scripts/copied/outcome.ts";
import { happeningsFor, RULES } from "../../scripts/copied/rules.ts";
import { copiedHere } from "../../scripts/copied/table.ts";
import type { CopiedWorkflow, Workflow } from "../../scripts/copied/workflows.ts";
import { EXAMPLES, read, TEMPLATES } from "./files.ts";

const COPIED_HERE = copiedHere();

test("workflows that users copy are every example, the template, the README's and those of pages", () => {
  const places = COPIED_HERE.map(({ where }) => where);
  expect(places).toEqual(expect.arrayContaining([...EXAMPLES, ...TEMPLATES, "README.md (1)"]));
  expect(places.filter((where) => where.startsWith("docs/")).length).toBeGreaterThan(5);
});

test.each(Object.entries(RULES))("%s, in all workflows that users copy", (_, rule) => {
  const broken = COPIED_HERE.map((copied) => [copied.where, rule(copied, COPIED_HERE)]);
  expect(broken.filter(([, problems = []]) => problems.length > 0)).toEqual([]);
});

/** A workflow with one job of an action. @param more of the workflow */
function workflowOf(
  action: string,
  on: object,
  more: Partial<Workflow> & { if?: string } = {},
): CopiedWorkflow {
  const { if: condition, ...rest } = more;
  const step = { uses: `OWNER/docs-agent-action${action}@v1`, with: { paths: "src/**" } };
  const asWritten: Workflow = {
    on,
    ...rest,
    jobs: { docs: { if: condition ?? "true", steps: [step] } },
  };
  return { where: "examples/mistake.yml", text: "", asWritten, workflow: asWritten };
}

const SHARED = { concurrency: { group: "docs" } };
const GATE_EVENTS = { pull_request: null, issue_comment: null, schedule: null };

/** For each rule, a workflow that breaks it. */
const MISTAKES: Record<keyof typeof RULES, CopiedWorkflow> = {
  "no runner starts for a comment that cannot matter": workflowOf("", { issue_comment: null }),
  "the gate starts no runner for a comment on an issue": workflowOf("/gate", {
    issue_comment: null,
  }),
  "nothing runs in a fork": workflowOf("", { push: null }),
  "bots' comments, labels and issues start nothing": workflowOf("/assistant", { issues: null }),
  "bots' and the agent's pull requests cost nothing": workflowOf("", { pull_request: null }),
  "a stranger costs nothing": workflowOf("/assistant", { issues: { types: ["labeled"] } }),
  "a run without secrets is not red": workflowOf("/deploy", { pull_request: null }),
  "prereleases start nothing": workflowOf("/upkeep", { release: { types: ["published"] } }),
  "a stranger's and a fork's run wait in groups of their own": workflowOf(
    "/gate",
    { pull_request: null },
    SHARED,
  ),
  "what follows other runs replaces only what follows them, too": workflowOf(
    "/gate",
    { schedule: null, workflow_run: { workflows: ["Docs"] } },
    SHARED,
  ),
  "nothing is lost to a group that keeps one waiting run": workflowOf("", { push: null }, SHARED),
  "jobs for merges, pushes and releases do not run beside each other": workflowOf("", {
    push: null,
  }),
  "a status that a rule may require is set for merge groups, too": workflowOf("/gate", GATE_EVENTS),
  "the gate can be run by hand, and runs once at a time for a pull request": workflowOf(
    "/gate",
    GATE_EVENTS,
  ),
  "a schedule is apart from what sets a status": workflowOf("/gate", GATE_EVENTS),
  "a gate that follows requests follows every workflow that takes them": workflowOf("/gate", {
    workflow_run: { workflows: ["Docs by comment"] },
  }),
  "files that belong together have the same paths": workflowOf("/gate", GATE_EVENTS),
  "a file that answers people and has a schedule says how to enable it again": workflowOf(
    "",
    GATE_EVENTS,
  ),
  "requests by comment and upkeep together have a sweep": withSteps("", "/upkeep"),
  "what land merges is deployed by land, which remembers it": withSteps("/land", "/deploy"),
};

/** A workflow whose job has steps of several actions. */
function withSteps(...actions: string[]): CopiedWorkflow {
  const one = workflowOf("", { schedule: null });
  const steps = actions.map((action) => ({ uses: `OWNER/docs-agent-action${action}@v1` }));
  return { ...one, workflow: { ...one.workflow, jobs: { docs: { steps } } } };
}

test("there is a mistake for each rule", () => {
  expect(Object.keys(MISTAKES)).toEqual(Object.keys(RULES));
});

test.each(Object.entries(MISTAKES))(
  "a workflow against the rule that %s is found",
  (title, mistake) => {
    expect(RULES[title]?.(mistake, COPIED_HERE)).not.toEqual([]);
  },
);

/** What happens to an example, by its title. */
function among(where: string, title: string, by = "the project's own people") {
  const copied = COPIED_HERE.find((one) => one.where === where);
  if (copied === undefined) throw new Error(`no workflow ${where}`);
  const found = happeningsFor(copied).find((one) => one.title === title && one.by === by);
  if (found === undefined) throw new Error(`nothing is called ${title}`);
  const { workflow } = copied;
  return {
    jobs: startedBy(workflow, found).map(({ name }) => name),
    groups: groupsOf(workflow, found, 1).map(({ name }) => name),
  };
}

test.each([
  ["examples/answer-questions.yml", "label `question`", ["answer"]],
  ["examples/ask-by-comment.yml", "comment `/docs …` on an issue", ["docs"]],
  ["examples/deploy-on-release.yml", "release", ["reference", "deploy"]],
  ["examples/deploy-preview-tests.yml", "pull request opened", ["preview", "tests"]],
  ["examples/gate.yml", "comment `docs: none, …` on a pull request", ["gate"]],
  ["examples/gate.yml", "review that approves", ["gate"]],
  ["examples/gate.yml", "ended run of *Docs* for a comment", ["gate"]],
  ["examples/on-merged-pull-request.yml", "pull request merged", ["docs"]],
  ["examples/on-push.yml", "push", ["docs"]],
  ["examples/team.yml", "*Run workflow*", ["hourly"]],
  ["examples/upkeep.yml", "dashboard edited", ["upkeep"]],
])("%s does its work for: %s", (where, title, jobs) => {
  expect(among(where, title).jobs).toEqual(jobs);
});

test("the runs of the gate for a pull request, and a maintainer's comment on it, wait for each other", () => {
  const pull = among("examples/gate.yml", "pull request opened");
  const comment = among("examples/gate.yml", "comment `docs: none, …` on a pull request");
  expect(pull.groups).toEqual(["docs gate-7"]);
  expect(comment.groups).toEqual(pull.groups);
});

const PAGE = "docs/security.md";

test(`${PAGE} has each workflow once in its table`, () => {
  const [, table = ""] = /<!-- copied -->([\s\S]*?)<!-- end -->/.exec(read(PAGE)) ?? [];
  expect([...table.matchAll(/\]\(/g)]).toHaveLength(COPIED_HERE.length);
});

test.each(["docs/start.md", "docs/troubleshooting.md", "docs/gate.md"])(
  "%s names the symptom of a file that GitHub has disabled, and the command",
  (page) => {
    expect(read(page)).toMatch(/60 days/);
    expect(read(page)).toMatch(/`gh workflow enable [\w-]+\.yml`/);
  },
);
