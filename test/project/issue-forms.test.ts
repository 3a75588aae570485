import { expect, test } from "vitest";
import { parse } from "yaml";
import { runLine } from "../../src/runtime/debug-log.ts";
import { Secrets } from "../../src/text/secrets.ts";
import { read } from "./files.ts";

interface Field {
  type: string;
  id?: string;
  attributes: { label?: string; value?: string; placeholder?: string };
  validations?: { required?: boolean };
}

const { body } = parse(read(".github/ISSUE_TEMPLATE/bug.yml")) as { body: Field[] };

test("its example of the line about the run is what a run tells", () => {
  const inputs = { "api-key": "", "project-id": "" };
  const build = { version: "1.2.3", entry: "main", title: "Docs agent", inputs };
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
