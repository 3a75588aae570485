import { expect, test } from "vitest";
import { collect } from "../../src/collect/collect.ts";
import type { Action } from "../../src/entrypoints/run-entrypoint.ts";
import { gate } from "../../src/gate/gate.ts";
import { land } from "../../src/land/land.ts";
import { queue } from "../../src/queue/queue.ts";
import { root } from "../../src/root/root.ts";
import { asActionError } from "../../src/runtime/errors.ts";
import { upkeep } from "../../src/upkeep/upkeep.ts";
import { dependenciesOf } from "../support/dependencies.ts";
import { HttpInProcess } from "../support/http-in-process.ts";
import { contextOf } from "../support/run-context.ts";
import { makeWorkspace } from "../support/workspace.ts";

const SCHEDULE = contextOf("schedule");
const PULL = contextOf("pull_request", { pull_request: { number: 7 } });
const REQUEST = contextOf("issue_comment", {
  action: "created",
  issue: { number: 7 },
  comment: { id: 1, body: "/docs explain", user: { login: "writer" } },
  sender: { login: "writer" },
});
const INPUTS: Record<string, string> = {
  "api-key": "mint_x",
  "project-id": "docs",
  "github-token": "ghs_x",
  "docs-paths": "docs/**",
  "trigger-phrase": "/docs",
  "tasks-file": "tasks.json",
};

test.each<[name: string, action: Action, context: typeof SCHEDULE]>([
  ["collect", collect, SCHEDULE],
  ["the gate", gate, PULL],
  ["land", land, SCHEDULE],
  ["the queue", queue, SCHEDULE],
  ["upkeep", upkeep, SCHEDULE],
  ["a request by phrase", root, REQUEST],
])("a mistake in a request to GitHub ends %s as `internal`", async (_, action, context) => {
  using workspace = makeWorkspace();
  workspace.write("tasks.json", JSON.stringify([{ id: "a", prompt: "Document a." }]));
  let requests = 0;
  const exchange = async () => {
    requests += 1;
    throw new TypeError("x is not a function");
  };
  const http = new HttpInProcess(exchange);
  const read = (name: string) => INPUTS[name] ?? "";
  const ended = Promise.resolve(
    action(read, { ...context, workspace: workspace.path }, dependenciesOf({ http })),
  );
  const error = asActionError(await ended.catch((thrown: unknown) => thrown));
  expect(error).toMatchObject({
    kind: "internal",
    problem: "Unexpected error: x is not a function.",
  });
  expect(requests).toBe(1);
});
