import { describe, expect, test } from "vitest";
import type { RunResult } from "../../emulator/runner/runner.ts";
import { hangBeforeHeaders } from "../support/answers.ts";
import { type FaultyServer, startFaultyServer } from "../support/faulty-server.ts";
import { CREATE_IN_WORLD } from "../support/ledger-setup.ts";
import { API_KEY, PROMPT, startScenario, TOKEN } from "../support/scenario.ts";
import { setUpUpkeep } from "../support/upkeep-setup.ts";

const REQUEST = /^(?:GET|POST|PATCH|PUT|DELETE) https?:\/\//;
const RUN = /^Docs Agent Action /;

/** The requests in the debug log, as `METHOD address` without the query, in alphabetical order. */
function loggedRequests({ debug }: RunResult): string[] {
  const lines = debug.filter((line) => REQUEST.test(line));
  for (const line of lines) {
    expect(line).toMatch(/: \d{3} after \d+ ms, (request ID \S+|no request ID)$/);
  }
  return lines.map((line) => line.replace(/(\?\S*)?: \d{3} after .*$/, "")).sort();
}

function received(...servers: FaultyServer[]): string[] {
  return servers
    .flatMap(({ url, requests }) =>
      requests.map(({ method, path }) => `${method} ${url}${path.split("?")[0]}`),
    )
    .sort();
}

const runLines = ({ debug }: RunResult) => debug.filter((line) => RUN.test(line));

/** Expects that the debug log contains none of these texts. */
function expectNothingIn({ debug }: RunResult, ...texts: string[]): void {
  for (const text of texts) expect(debug.join("\n")).not.toContain(text);
}

describe("with debug logging, the debug log contains every request and the action's version, for", () => {
  test("the root action", async () => {
    await using scenario = await startScenario();
    const result = await scenario.run({ debug: true });
    expect(result.outputs.status).toBe("completed");
    expect(loggedRequests(result)).toEqual(received(scenario.service, scenario.github.server));
    expect(loggedRequests(result)).toContain(`POST ${scenario.service.url}/v2/agent/docs/job`);
    expect(runLines(result)).toEqual([
      expect.stringMatching(/^Docs Agent Action \d+\.\d+\.\d+, Docs agent, Node v24\.\S+$/),
    ]);
    expectNothingIn(result, API_KEY, TOKEN, PROMPT, "completed", "sonnet", "user-agent");
  });

  test("upkeep, and its post step", async () => {
    await using scene = await setUpUpkeep();
    await using service = await startFaultyServer();
    service.on(CREATE_IN_WORLD, hangBeforeHeaders);
    await scene.history.land({ title: "On its way" });
    const { github } = scene.world;
    /** The action's requests to GitHub, after the first `after` requests. */
    const requestsOfAction = async (after: number) => {
      const requests = (await github.requests()).slice(after);
      return requests
        .filter(({ headers }) => headers["user-agent"]?.startsWith("docs-agent-action"))
        .map(({ method, path }) => `${method} ${github.url}${path}`)
        .sort();
    };
    const landed = (await github.requests()).length;
    const inputs = { "base-url": service.url };
    const running = scene.start({ inputs, debug: true });
    await service.waitForRequest(CREATE_IN_WORLD);
    running.signal("SIGKILL");
    const main = await running.result;
    const ended = (await github.requests()).length;
    expect(loggedRequests(main)).toEqual(await requestsOfAction(landed));
    expect(runLines(main)).toEqual([expect.stringContaining(", Docs upkeep, Node v24.")]);
    expectNothingIn(main, github.token, scene.world.service.adminKey, "On its way");

    const post = await scene.run({ entry: "post", state: main.state, inputs, debug: true });
    expect(loggedRequests(post).length).toBeGreaterThan(0);
    expect(loggedRequests(post)).toEqual(await requestsOfAction(ended));
    expect(runLines(post)).toEqual([expect.stringContaining(", Docs upkeep, Node v24.")]);
  });
});

test("with debug logging, the debug log contains the stack of an error's cause", async () => {
  await using scene = await setUpUpkeep();
  const fault = { status: 502, path: "/branches/", message: "Bad branch", times: 3 };
  scene.world.github.emulated.addFault(fault);
  const { outputs, debug } = await scene.run({ debug: true });
  expect(outputs.errorMessage).toContain("acme/docs could not be read: GitHub returned 502.");
  expect(debug.join("\n")).toMatch(/Bad branch[\s\S]* at /);
});

test("without debug logging, there are no debug lines", async () => {
  await using scenario = await startScenario();
  const { debug, stdout } = await scenario.run();
  expect(debug).toEqual([]);
  expect(stdout).not.toContain("Docs Agent Action");
  expect(stdout).not.toContain(" ms, ");
});
