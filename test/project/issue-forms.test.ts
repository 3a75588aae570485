import { expect, test } from "vitest";
import { parse } from "yaml";
import { runLine } from "../../src/runtime/debug-log.ts";
import { Secrets } from "../../src/text/secrets.ts";
import { files, read } from "./files.ts";

interface Field {
  type: string;
  id?: string;
  attributes: { label?: string; value?: string; placeholder?: string };
  validations?: { required?: boolean };
}

const { body } = parse(read(".github/ISSUE_TEMPLATE/bug.yml")) as { body: Field[] };

test("a bug report asks for what happened, the step, the line about the run, and the debug log", () => {
  const asked = body.filter(({ type }) => type !== "markdown");
  expect(asked.map(({ id }) => id)).toEqual(["happened", "step", "line", "log"]);
  for (const { validations } of asked) expect(validations?.required).toBe(true);
});

test("it says how to switch debug logging on before it asks for anything", () => {
  expect(body[0]?.type).toBe("markdown");
  expect(body[0]?.attributes.value).toMatch(/Enable debug logging[\s\S]*`ACTIONS_STEP_DEBUG`/);
});

test("its example of the line about the run is what a run tells", () => {
  const build = { version: "1.2.3", entry: "main", inputs: { "api-key": "", "project-id": "" } };
  const env = {
    GITHUB_ACTION_REF: "v1",
    RUNNER_OS: "Linux",
    RUNNER_ARCH: "X64",
    RUNNER_ENVIRONMENT: "github-hosted",
    RUNNER_NAME: "GitHub Actions 7",
    GITHUB_EVENT_NAME: "issue_comment",
    "INPUT_API-KEY": "x",
    "INPUT_PROJECT-ID": "x",
  };
  const line = body.find(({ id }) => id === "line");
  expect(line?.attributes.placeholder).toBe(runLine(build, env, "v24.1.0", new Secrets([])));
});

test.each(files(".github/ISSUE_TEMPLATE/*.yml").filter((it) => !it.endsWith("config.yml")))(
  "every field of %s has an ID of its own",
  (form) => {
    const { body: all } = parse(read(form)) as { body: Field[] };
    const ids = all.filter(({ type }) => type !== "markdown").map(({ id }) => id);
    expect(ids).not.toContain(undefined);
    expect(new Set(ids).size).toBe(ids.length);
  },
);
