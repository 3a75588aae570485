import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";
import { parseCommandFile } from "../../emulator/runner/step-folders.ts";
import { expand, isTrue } from "../../playground/actions/expression.ts";
import { type Job, PROJECT, type Step, withCalledJobs } from "../../scripts/copied/workflows.ts";
import { TEAM } from "../../scripts/release.ts";
import { expression } from "../../scripts/try-examples/workflow.ts";
import { shortHash } from "../../src/text/short-hash.ts";
import { CALLERS, files, read, steps, TEMPLATES, workflow } from "./files.ts";

interface Input {
  type: string;
  required?: boolean;
  default?: unknown;
}

const TEXT = read(TEAM);
const JOBS = workflow(TEAM).jobs;
const STEPS = steps(workflow(TEAM));
const { inputs: INPUTS, secrets: SECRETS } = Object(workflow(TEAM).on).workflow_call as Record<
  "inputs" | "secrets",
  Record<string, Input>
>;
const EXAMPLE = "examples/team.yml";
const LONG = "examples/team-long.yml";

/** The file that declares the action of a step. */
function metadataOf({ uses = "" }: Step): string {
  const [name = ""] = uses.split("@");
  return path.posix.join(path.posix.relative(PROJECT, name), "action.yml");
}

/** The inputs of a step's action; undefined if there is no such action. */
function inputsOf(step: Step): Record<string, Input> | undefined {
  const file = metadataOf(step);
  return existsSync(path.join(REPOSITORY_ROOT, file)) ? parse(read(file)).inputs : undefined;
}

const RANK = ["none", "read", "write"];

/** The most that any of the jobs may do, by scope. */
function rightsOf(jobs: Record<string, Job>): Record<string, string> {
  const rights: Record<string, string> = {};
  for (const [scope, level] of Object.values(jobs).flatMap((job) => entriesOf(job.permissions))) {
    if (RANK.indexOf(level) > RANK.indexOf(rights[scope] ?? "none")) rights[scope] = level;
  }
  return rights;
}

const entriesOf = (values: Record<string, string> = {}) => Object.entries(values);

/** The one job of a caller. */
function callOf({ jobs }: { jobs: Record<string, Job> }): Job {
  const [job, ...others] = Object.values(jobs);
  expect(others).toEqual([]);
  return job as Job;
}

test("the example and the template call the team workflow", () => {
  expect(CALLERS.map(({ where }) => where)).toEqual(
    expect.arrayContaining([EXAMPLE, ...TEMPLATES]),
  );
});

describe.each(CALLERS)("$where", ({ asWritten: caller }) => {
  test("grants exactly what the called jobs need together", () => {
    expect(callOf(caller).permissions).toEqual(rightsOf(JOBS));
  });

  test("has no group, because a group at both sides would be a deadlock", () => {
    expect([caller.concurrency, callOf(caller).concurrency]).toEqual([undefined, undefined]);
  });

  test("gives only inputs and secrets that the workflow declares, and all that it requires", () => {
    const sides = [
      [callOf(caller).with, INPUTS],
      [callOf(caller).secrets, SECRETS],
    ] as const;
    for (const [given = {}, declared] of sides) {
      expect(Object.keys(declared)).toEqual(expect.arrayContaining(Object.keys(given)));
      const required = Object.keys(declared).filter((name) => declared[name]?.required === true);
      expect(Object.keys(given)).toEqual(expect.arrayContaining(required));
    }
  });
});

test("the team workflow uses nothing of the caller's checkout, and no other workflow", () => {
  expect(TEXT).not.toMatch(/uses: ["']?\.\//);
  expect(Object.values(JOBS).filter(({ uses }) => uses !== undefined)).toEqual([]);
  const foreign = STEPS.filter(({ uses }) => uses !== undefined && !uses.startsWith(PROJECT));
  expect(foreign.map(({ uses }) => uses)).toEqual([
    expect.stringMatching(/^actions\/create-github-app-token@[0-9a-f]{40}$/),
  ]);
});

test("its groups are at its jobs", () => {
  expect(workflow(TEAM).concurrency).toBeUndefined();
});

const OWN_STEPS = STEPS.filter(({ uses }) => uses?.startsWith(PROJECT));

describe.each(OWN_STEPS)("its step $uses", (step) => {
  const declared = inputsOf(step);

  test("is of an action with these inputs", () => {
    expect(Object.keys(declared ?? {})).toEqual(
      expect.arrayContaining(Object.keys(step.with ?? {})),
    );
  });

  test("gives no input another default than the action does, except where the workflow chooses one", () => {
    const own: Record<string, unknown> = {
      "trigger-phrase": "/docs",
      "max-jobs-per-day": 6,
    };
    for (const [name, value] of Object.entries(step.with ?? {})) {
      const [, input] = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(String(value)) ?? [];
      if (input === undefined || INPUTS[input]?.required === true) continue;
      const { default: expected = "" } = declared?.[name] ?? {};
      expect([name, INPUTS[input]?.default]).toEqual([name, own[name] ?? expected]);
    }
  });

  test("gets key, project, token and service, like every other step", () => {
    expect(step.with).toMatchObject({
      "api-key": expression("secrets.api-key"),
      "project-id": expression("inputs.project-id"),
      "github-token": expression(
        step.with?.comment === undefined && step.uses?.startsWith(`${PROJECT}@`)
          ? "secrets.github-token || github.token"
          : "steps.app.outputs.token || secrets.github-token || github.token",
      ),
      "base-url": expression("inputs.base-url"),
    });
    expect(declared?.["github-token"]?.default).toBe(expression("github.token"));
    const previous = declared?.["previous-api-key"] && expression("secrets.previous-api-key");
    expect(step.with?.["previous-api-key"]).toBe(previous);
  });
});

test("every input and secret of the team workflow is used", () => {
  const [, jobs = ""] = TEXT.split(/^jobs:$/m);
  for (const name of Object.keys(INPUTS)) expect(jobs).toMatch(RegExp(`inputs\\.${name}\\b`));
  for (const name of Object.keys(SECRETS)) expect(jobs).toContain(`secrets.${name}`);
});

/** What an event starts, for a caller with these inputs. */
function begun(event_name: string, event: object = {}, inputs: Record<string, unknown> = {}) {
  const caller = workflow(EXAMPLE);
  callOf(caller).with = inputs;
  const github = { event_name, event: { repository: { fork: false }, ...event } };
  const { jobs } = withCalledJobs(caller, TEXT);
  return Object.keys(jobs).filter((name) => isTrue(jobs[name]?.if ?? "true", { github }));
}

const COMMENT = { comment: { body: "/docs explain" }, sender: { type: "User" } };
const FORK = { repository: { fork: true } };

test.each([
  ["a comment with the phrase", begun("issue_comment", COMMENT), ["comment"]],
  ["a comment without it", begun("issue_comment", { ...COMMENT, comment: { body: "thanks" } }), []],
  ["a bot's comment", begun("issue_comment", { ...COMMENT, sender: { type: "Bot" } }), []],
  ["a comment in a fork", begun("issue_comment", { ...COMMENT, ...FORK }), []],
  ["a comment, without a phrase", begun("issue_comment", COMMENT, { "trigger-phrase": "" }), []],
  ["a schedule", begun("schedule"), ["hourly"]],
  ["a schedule in a fork", begun("schedule", FORK), []],
  ["a schedule for land alone", begun("schedule", {}, { upkeep: false }), ["hourly"]],
  ["a schedule for nothing", begun("schedule", {}, { upkeep: false, land: false }), []],
  ["a person", begun("workflow_dispatch"), ["hourly"]],
  ["a person in a fork", begun("workflow_dispatch", FORK), []],
  ["an event that outsiders can cause", begun("issues"), []],
])("%s starts only its jobs", (_, jobs, expected) => {
  expect(jobs).toEqual(expected);
});

const [, HOURLY] = Object.values(JOBS);
const stepOf = (action: string) =>
  HOURLY?.steps?.find(({ uses }) => uses?.startsWith(`${PROJECT}/${action}@`));

/** Whether upkeep and land only show what they would do. */
function isDry(event_name: string, dryRun = false): string[] {
  const contexts = { github: { event_name }, inputs: { "dry-run": dryRun } };
  return ["upkeep", "land"].map((action) =>
    expand(String(stepOf(action)?.with?.["dry-run"]), contexts),
  );
}

test.each([
  ["by hand, before there is a ledger", isDry("workflow_dispatch"), "new"],
  ["on a schedule", isDry("schedule"), "false"],
  ["on a schedule, if the caller wants it", isDry("schedule", true), "true"],
  ["by hand, if the caller wants it", isDry("workflow_dispatch", true), "true"],
])("upkeep and land are dry %s: %s", (_, dry, expected) => {
  expect(dry).toEqual([expected, expected]);
});

/** What the script that looks for a ledger finds. @param answer of curl @param hour of the day, UTC */
function lookedUp(event_name: string, answer: string, hour: string, schedule: string) {
  const folder = mkdtempSync(path.join(tmpdir(), "docs agent team-"));
  try {
    const at = (name: string) => path.join(folder, name);
    const command = (name: string, text: string) =>
      writeFileSync(at(name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    command("curl", `echo "$*" > "${at("asked")}"; exit ${answer}`);
    command("date", `echo ${hour}`);
    writeFileSync(at("output"), "");
    const step = HOURLY?.steps?.find(({ id }) => id === "ledger");
    const { status } = spawnSync("bash", ["-eo", "pipefail", "-c", step?.run ?? ""], {
      env: {
        PATH: `${folder}${path.delimiter}${process.env.PATH}`,
        ACTION: "upkeep",
        PROJECT_ID: "acme-docs",
        SCHEDULE: event_name === "schedule" ? schedule : "",
        TOKEN: "token",
        GITHUB_API_URL: "https://api.github.com",
        GITHUB_REPOSITORY: "acme/app",
        GITHUB_EVENT_NAME: event_name,
        GITHUB_OUTPUT: at("output"),
      },
    });
    expect(status).toBe(0);
    expect(readFileSync(at("asked"), "utf8")).toContain(
      `https://api.github.com/repos/acme/app/git/ref/docs-agent/upkeep/${shortHash("acme-docs")}`,
    );
    return parseCommandFile(readFileSync(at("output"), "utf8")).doctor;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const HOURLY_CRON = "17 * * * *";

test.skipIf(process.platform === "win32").each([
  ["the first run by hand", "workflow_dispatch", "22", "12", "", "true"],
  ["a later run by hand", "workflow_dispatch", "0", "12", "", "true"],
  ["a schedule without a ledger", "schedule", "22", "12", HOURLY_CRON, "true"],
  ["any other schedule", "schedule", "0", "12", HOURLY_CRON, "false"],
  ["a schedule, once a day", "schedule", "0", "03", HOURLY_CRON, "true"],
  ["a schedule that is daily", "schedule", "0", "12", "17 12 * * *", "true"],
  ["a schedule of every two hours, once a day", "schedule", "0", "04", "17 */2 * * *", "true"],
  ["any other of every two hours", "schedule", "0", "06", "17 */2 * * *", "false"],
  ["the one before, late", "schedule", "0", "02", "17 */2 * * *", "false"],
  ["a schedule of every six hours, once a day", "schedule", "0", "06", "17 */6 * * *", "true"],
  ["any other of every six hours", "schedule", "0", "00", "17 */6 * * *", "false"],
  ["a schedule of every 24 hours", "schedule", "0", "00", "17 */24 * * *", "true"],
])("doctor's turn: %s", (_, event, answer, hour, schedule, expected) => {
  expect(lookedUp(event, answer, hour, schedule)).toBe(expected);
});

/** The steps that run after a doctor with these outputs, by the ends of their actions' names. */
function after(outputs: Record<string, string>, app = "skipped"): string[] {
  const contexts = {
    steps: { doctor: { outputs }, app: { outcome: app } },
    inputs: { upkeep: true, land: true, "trigger-phrase": "/docs", "dry-run": false },
  };
  const all = HOURLY?.steps ?? [];
  const later = all.slice(all.findIndex(({ id }) => id === "doctor") + 1);
  const begun: string[] = [];
  for (const step of later) {
    // Without a function of the job's status, a condition is of a job that has not failed.
    const condition = String(step.if ?? "true");
    const hasFailed = app === "failure" || begun.includes("exit 1");
    const isHeld = hasFailed && !condition.includes("cancelled()");
    if (isHeld || !isTrue(condition.replace("!cancelled()", "true"), contexts)) continue;
    begun.push(
      step.uses?.replace(/^.*\/|@.*$/g, "") ?? (step.run?.includes("exit 1") ? "exit 1" : ""),
    );
  }
  expect(stepOf("doctor")).toMatchObject({ "continue-on-error": true });
  return begun;
}

test.each([
  ["that is not ready", { verdict: "unwell", ready: "false" }, ["exit 1"]],
  ["that is unwell", { verdict: "unwell", ready: "true" }, ["upkeep", "land", "collect"]],
  ["that is healthy", { verdict: "healthy", ready: "true" }, ["upkeep", "land", "collect"]],
  ["that could check nothing, or did not run", {}, ["upkeep", "land", "collect"]],
])("after a set-up %s (%j): %j", (_, outputs, begun) => {
  expect(after(outputs)).toEqual(begun);
});

test.each([
  ["", ["app"]],
  ["acme/manual", ["app", "manual"]],
])("with the documentation in %j, the app's token is for %j", (docs, expected) => {
  const [places, app] = HOURLY?.steps ?? [];
  const given = expand(places?.env?.DOCS_REPOSITORY ?? "", { inputs: { "docs-repository": docs } });
  expect(places?.run).toMatch(/docs=\$\{DOCS_REPOSITORY#\*\/\}/);
  const contexts = {
    github: { event: { repository: { name: "app" } } },
    steps: { places: { outputs: { docs: given.replace(/^.*\//, "") } } },
  };
  const lines = expand(String(app?.with?.repositories), contexts).split("\n");
  expect(lines.map((line) => line.trim()).filter((line) => line !== "")).toEqual(expected);
});

test("nothing runs with the workflow's own token if the app's could not be made", () => {
  expect(after({}, "failure")).toEqual([]);
  expect(after({}, "success")).toEqual(["upkeep", "land", "collect"]);
});

test.each([
  ["schedule", "false"],
  ["workflow_dispatch", "true"],
])("on %s, doctor makes a ref: %s", (event_name, trial) => {
  const contexts = { github: { event_name } };
  expect(expand(String(stepOf("doctor")?.with?.trial), contexts)).toBe(trial);
});

test("doctor's job has the rights of all other jobs, which it tries", () => {
  const { hourly, ...others } = JOBS;
  expect(stepOf("doctor")).toBeDefined();
  expect(rightsOf({ hourly: hourly as Job, ...others })).toEqual(hourly?.permissions);
});

/** Inputs with which a step reaches GitHub and the service. */
const ACCESS = ["api-key", "previous-api-key", "project-id", "github-token"];
/** A run by hand is dry in the long form only if it is asked to be. */
const DRY = "dry-run";

/** The actions of jobs, each with the inputs that are not at their defaults. */
function chosenInputs(jobs: Record<string, Job>): [file: string, inputs: object][] {
  const own = steps({ jobs }).filter(({ uses }) => uses?.startsWith(PROJECT));
  return own.map((step) => {
    const values = Object.entries(step.with ?? {}).map(([name, value]): [string, unknown] => {
      // A literal in place of an input of the team workflow.
      const [, text, number] = /^\$\{\{ (?:'([^']*)'|(\d+)) \}\}$/.exec(String(value)) ?? [];
      // An input that the caller passes on.
      const [, passed] = /^\$\{\{ \((inputs\.[\w-]+)\) \}\}$/.exec(String(value)) ?? [];
      if (passed !== undefined) return [name, `\${{ ${passed} }}`];
      return [name, text ?? (number === undefined ? value : Number(number))];
    });
    const chosen = values.filter(([name, value]) => {
      const { default: usual = "" } = inputsOf(step)?.[name] ?? {};
      return ![...ACCESS, DRY].includes(name) && value !== usual;
    });
    return [metadataOf(step), Object.fromEntries(chosen)];
  });
}

test("the long form has the same jobs but for doctor, with the same rights, limits and inputs", () => {
  const called = withCalledJobs(workflow(EXAMPLE), TEXT).jobs;
  const long = workflow(LONG).jobs;
  const shape = (jobs: Record<string, Job>) =>
    Object.entries(jobs).map(([name, job]) => [name, job.permissions, job["timeout-minutes"]]);
  expect(shape(long)).toEqual(shape(called));
  const own = chosenInputs(called).filter(([file]) => file !== "doctor/action.yml");
  expect(chosenInputs(long)).toEqual(own);
});

const withoutComments = (text: string) => text.replaceAll(/^ *#.*\n/gm, "");

test("the template of organizations is the example, with other remarks, and has its properties", () => {
  expect(TEMPLATES.map((file) => withoutComments(read(file)))).toEqual([
    withoutComments(read(EXAMPLE)),
  ]);
  // GitHub replaces placeholders such as $default-branch, and no others.
  for (const file of TEMPLATES) expect(read(file)).not.toMatch(/\$(?!\{\{)/);
  const properties = files("workflow-templates/*.properties.json");
  expect(properties).toEqual(TEMPLATES.map((file) => file.replace(/yml$/, "properties.json")));
  for (const file of properties) {
    const { name, description, iconName, categories } = JSON.parse(read(file));
    expect([name, description]).toEqual([
      expect.stringMatching(/\w/),
      expect.stringMatching(/\.$/),
    ]);
    expect(iconName).toMatch(/^octicon [a-z-]+$/);
    expect(categories).toEqual(["Automation"]);
  }
});

const PAGE = "docs/start.md";

test(`${PAGE} has the rights of each job`, () => {
  const rows = [...read(PAGE).matchAll(/^\| .* \| `(comment|hourly)`: .* \| (`[^|]*`) \|$/gm)];
  const listed = rows.map(([, name, cells = ""]) => [name, cells.replaceAll("`", "").split(", ")]);
  const real = Object.entries(JOBS).map(([name, { permissions }]) => [
    name,
    entriesOf(permissions).map(([scope, level]) => `${scope}: ${level}`),
  ]);
  expect(listed).toEqual(real);
});

test(`${PAGE} leaves the call to the README, which shows it without its comments`, () => {
  const places = CALLERS.map(({ where }) => where);
  expect(places).toContain("README.md (1)");
  expect(places.filter((where) => where.startsWith(PAGE))).toEqual([]);
  expect(read(PAGE)).toContain("](../README.md#quick-start)");
});
