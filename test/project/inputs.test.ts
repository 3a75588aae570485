import os from "node:os";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { parseAssistantInputs } from "../../src/inputs/assistant.ts";
import type { ReadInput } from "../../src/inputs/checks.ts";
import { parseCollectInputs } from "../../src/inputs/collect.ts";
import { checkGitHubInputs, readTriggerPhrase } from "../../src/inputs/github.ts";
import { parseJobsInputs } from "../../src/inputs/jobs.ts";
import { parseQueueInputs } from "../../src/inputs/queue.ts";
import { parseRunInputs } from "../../src/inputs/run.ts";
import { parseUpkeepInputs } from "../../src/inputs/upkeep.ts";
import { ACTIONS, ERROR_KINDS, files, read } from "./files.ts";

const CONTEXT = {
  eventName: "workflow_dispatch",
  payload: {},
  repository: "octo/docs",
  runId: "1",
  attempt: 1,
  step: "docs/agent",
  serverUrl: "https://github.com",
  runUrl: "",
  workspace: os.tmpdir(),
  apiUrl: "https://api.github.com",
};

interface Subject {
  /** Reads and checks all inputs. */
  check: (read: ReadInput) => void;
  /** The tests that run it, and what they share. */
  tests: string[];
}

const isOther = /assistant|jobs|upkeep|collect|queue/;

const SUBJECTS: Record<string, Subject> = {
  "action.yml": {
    check: (it) => {
      readTriggerPhrase(it);
      parseRunInputs(it, checkGitHubInputs(it, CONTEXT), CONTEXT);
    },
    tests: files("test/e2e/*.test.ts", "test/support/*scenario.ts").filter(
      (it) => !isOther.test(it),
    ),
  },
  "upkeep/action.yml": {
    check: (it) => parseUpkeepInputs(it, CONTEXT),
    tests: files("test/e2e/{upkeep,ledger}*.test.ts", "test/support/{upkeep,ledger}*.ts"),
  },
  "queue/action.yml": {
    // It reads its file later than the inputs.
    check: (it) => void parseQueueInputs(it, CONTEXT).catch(() => {}),
    tests: files("test/e2e/{queue,ledger}*.test.ts", "test/support/{queue,ledger}*.ts"),
  },
  "collect/action.yml": {
    check: (it) => parseCollectInputs(it, CONTEXT),
    tests: files("test/e2e/collect*.test.ts", "test/support/collect*.ts"),
  },
  "jobs/action.yml": {
    check: (it) => parseJobsInputs(it),
    tests: files("test/e2e/jobs*.test.ts"),
  },
  "assistant/action.yml": {
    check: (it) => {
      readTriggerPhrase(it);
      parseAssistantInputs(it, checkGitHubInputs(it, CONTEXT), CONTEXT);
    },
    tests: files("test/e2e/assistant*.test.ts", "test/support/assistant*.ts"),
  },
};

/** The inputs that an action's check reads, whatever comes of it. */
function namesRead(action: string): Set<string> {
  const names = new Set<string>();
  try {
    SUBJECTS[action]?.check((name) => {
      names.add(name);
      return "";
    });
  } catch {
    // Nothing is given, so something is missing.
  }
  return names;
}

function declared(action: string): string[] {
  return Object.keys(parse(read(action)).inputs);
}

/** Whether a test gives an input a value of its own; one whose name is a common word must stand in `inputs`. */
function isSet(name: string, tests: string): boolean {
  // The runner fills it in, from the matrix that a test gives.
  if (name === "matrix") return /\bmatrix: \{/.test(tests);
  const value = `: (?!""|"\\$\\{\\{)`;
  return name.includes("-")
    ? new RegExp(`"${name}"${value}`).test(tests)
    : new RegExp(
        `\\binputs(: Record<string, string>)? ?[:=] ?\\{[^}]*?\\b${name}(${value}|,)`,
      ).test(tests);
}

test("there is a check for every action", () => {
  expect(Object.keys(SUBJECTS).sort()).toEqual([...ACTIONS].sort());
});

describe.each(ACTIONS)("%s", (action) => {
  const names = declared(action);
  const tests = (SUBJECTS[action]?.tests ?? []).map(read).join("\n");

  test("declares every input that the action reads, and no other", () => {
    expect([...namesRead(action)].sort()).toEqual([...names].sort());
  });

  test("has no input that no test sets", () => {
    expect(names.filter((name) => !isSet(name, tests))).toEqual([]);
  });
});

test("no errorKind is without a test that reaches it", () => {
  const tests = files("test/e2e/*.test.ts").map(read).join("\n");
  expect(ERROR_KINDS.length).toBeGreaterThan(10);
  expect(ERROR_KINDS.filter((kind) => !tests.includes(`"${kind}"`))).toEqual([]);
});
