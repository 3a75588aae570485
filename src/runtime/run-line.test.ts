import fc from "fast-check";
import { expect, test } from "vitest";
import { hostileText } from "../../test/support/arbitrary.ts";
import { Secrets } from "../text/secrets.ts";
import { runLine } from "./run-line.ts";

const NONE = new Secrets([]);
const BUILD = {
  version: "1.2.3",
  entry: "main",
  inputs: { wait: "true", "api-key": "", prompt: "", "github-token": "\u0024{{ github.token }}" },
};
const ENV = {
  RUNNER_OS: "Linux",
  RUNNER_ARCH: "ARM64",
  RUNNER_ENVIRONMENT: "self-hosted",
  RUNNER_NAME: "build 7",
  GITHUB_EVENT_NAME: "schedule",
};

test("version, Node, runner and event are told", () => {
  expect(runLine(BUILD, ENV, "v24.1.0", NONE)).toBe(
    "Docs Agent Action 1.2.3, main; Node v24.1.0; runner Linux ARM64 self-hosted build 7; event schedule; inputs set: none",
  );
});

test("so is the ref by which a workflow names the action", () => {
  const line = runLine(BUILD, { ...ENV, GITHUB_ACTION_REF: "v1" }, "v24.1.0", NONE);
  expect(line).toContain("1.2.3 (ref v1), main;");
});

test("what the environment does not say is unknown", () => {
  expect(runLine(BUILD, {}, "v24.1.0", NONE)).toContain(
    "runner unknown unknown unknown unknown; event unknown;",
  );
});

test("an input is set if it is declared, is not empty, and does not have its default", () => {
  const env = {
    ...ENV,
    INPUT_WAIT: "true",
    "INPUT_API-KEY": "s3cret",
    INPUT_PROMPT: "",
    "INPUT_GITHUB-TOKEN": "ghs_x",
    INPUT_UNDECLARED: "x",
  };
  expect(runLine(BUILD, env, "v24", NONE)).toMatch(/inputs set: api-key, github-token$/);
  expect(runLine(BUILD, { ...env, INPUT_WAIT: "false" }, "v24", NONE)).toMatch(
    /inputs set: api-key, github-token, wait$/,
  );
});

test("no value of an input is told, and nothing else breaks the line", () => {
  const secrets = new Secrets(["mint_k3yOfTheTest"]);
  fc.assert(
    fc.property(hostileText(), hostileText(), (value, name) => {
      const env = {
        ...ENV,
        "INPUT_API-KEY": "mint_k3yOfTheTest",
        INPUT_PROMPT: `canary ${value}`,
        RUNNER_NAME: `${name}mint_k3yOfTheTest${name}`,
      };
      const line = runLine(BUILD, env, "v24", secrets);
      expect(line).not.toContain("canary");
      expect(line).not.toContain("mint_k3yOf");
      expect(line).not.toMatch(/[\n\r]/);
      expect(line.length).toBeLessThan(400);
    }),
  );
});
