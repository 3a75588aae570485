import fc from "fast-check";
import { expect, test } from "vitest";
import { json } from "../../test/support/answers.ts";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { HttpInProcess, INPUTS_IN_PROCESS } from "../../test/support/http-in-process.ts";
import { contextOf } from "../../test/support/run-context.ts";
import { StubServer } from "../../test/support/stub-server.ts";
import { build } from "../../test/support/world/builds.ts";
import { deploy } from "./deploy.ts";

const CONTEXT = contextOf("push");
const UPDATE = "POST /v1/project/update/docs";
const STATUS = "POST /repos/octo/docs/deployments/5/statuses";

const read = (name: string) => INPUTS_IN_PROCESS[name] ?? "";

/** A clock that a sleep puts forward. */
function clockOf() {
  let at = 0;
  return {
    now: () => at,
    timeOfDay: () => at,
    sleep: async (milliseconds: number) => {
      at += milliseconds;
      // What is under way goes on.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** A service whose polls return statuses, the last one again and again, and a GitHub that takes everything. */
function serverOf(statuses: readonly string[]): StubServer {
  const server = new StubServer();
  server.on(UPDATE, json(202, { statusId: "build_1" }));
  server.on("POST /repos/octo/docs/deployments", json(201, { id: 5 }));
  server.on(STATUS, json(201, {}));
  const [first = "queued", ...others] = statuses;
  const answers = others.map((status) => json(200, build(status)));
  server.on("GET /v1/project/update-status/build_1", json(200, build(first)), ...answers);
  return server;
}

const STATUSES = ["queued", "in_progress", "success", "failure", "paused"];

test("for any answers of the service, the deployment ends as the build does, and shows no end before that", async () => {
  const lists = fc.array(fc.constantFrom(...STATUSES), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(lists, async (statuses) => {
      const server = serverOf(statuses);
      const dependencies = dependenciesOf({ http: server.http, clock: clockOf() });
      const fails = await deploy(read, CONTEXT, dependencies);
      const end = statuses.find((status) => status === "success" || status === "failure");
      const states = server
        .requestsTo(STATUS)
        .map(({ body }) => JSON.parse(body.toString()).state as string);
      expect(states[0]).toBe("queued");
      expect(fails).toBe(end !== "success");
      if (end === undefined) {
        expect(states).not.toContain("success");
        expect(states).not.toContain("failure");
        expect(dependencies.outputs.values.errorKind).toBe("timeout");
      } else {
        expect(states.at(-1)).toBe(end);
        expect(states.indexOf(end)).toBe(states.length - 1);
        expect(dependencies.outputs.values.status).toBe(end);
      }
      // Nothing is left for the post step.
      expect(dependencies.outputs.states.at(-1)).toBeNull();
    }),
  );
});

test("a mistake in a request to GitHub ends the run with it, and not as GitHub's refusal", async () => {
  const server = serverOf(["success"]);
  const mistake = new TypeError("x is not a function");
  const http = new HttpInProcess(async (outgoing) => {
    if (outgoing.url.host === "api.github.test") throw mistake;
    return await server.http.exchange(outgoing);
  });
  const dependencies = dependenciesOf({ http, clock: clockOf() });
  await expect(deploy(read, CONTEXT, dependencies)).rejects.toThrow("x is not a function");
  expect(dependencies.outputs.values.status).toBe("success");
  expect(dependencies.outputs.states.at(-1)).toBeNull();
});
