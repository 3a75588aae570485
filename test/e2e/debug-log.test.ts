import { describe, expect, test } from "vitest";
import type { RunResult } from "../../emulator/runner/runner.ts";
import { ADMIN_KEY } from "../../emulator/service/state.ts";
import { hangBeforeHeaders, json } from "../support/answers.ts";
import type { FaultyServer } from "../support/faulty-server.ts";
import { PROMPT } from "../support/world/actions.ts";
import { TOKEN } from "../support/world/conversation.ts";
import { CREATE, WITH_JOB } from "../support/world/jobs.ts";
import { LIST_V1 } from "../support/world/sessions.ts";
import { startWorld } from "../support/world/world.ts";

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
    await using world = await startWorld(WITH_JOB);
    const result = await world.run("root", { debug: true });
    expect(result.outputs.status).toBe("completed");
    expect(loggedRequests(result)).toEqual(received(world.servers.service, world.servers.github));
    expect(loggedRequests(result)).toContain(`POST ${world.service.url}/v2/agent/acme-docs/job`);
    expect(runLines(result)).toEqual([
      expect.stringMatching(/^Docs Agent Action \d+\.\d+\.\d+, Docs agent, Node v24\.\S+$/),
    ]);
    expectNothingIn(result, ADMIN_KEY, TOKEN, PROMPT, "completed", "sonnet", "user-agent");
  });

  test("upkeep, and its post step", async () => {
    await using world = await startWorld();
    world.on(CREATE, hangBeforeHeaders);
    await world.github.land({ title: "On its way" });
    const running = world.start("upkeep", { debug: true });
    await world.waitForRequest(CREATE);
    running.signal("SIGKILL");
    const main = await running.result;
    expect(loggedRequests(main)).toEqual(received(world.servers.github));
    const { github, service } = world;
    expect(runLines(main)).toEqual([expect.stringContaining(", Docs upkeep, Node v24.")]);
    expectNothingIn(main, github.token, service.adminKey, "On its way");

    const post = await world.run("upkeep", {
      entry: "post",
      state: main.state,
      debug: true,
    });
    expect(loggedRequests(post).length).toBeGreaterThan(0);
    const both = [...loggedRequests(main), ...loggedRequests(post)].sort();
    expect(both).toEqual(received(world.servers.github));
    expect(runLines(post)).toEqual([expect.stringContaining(", Docs upkeep, Node v24.")]);
  });
});

test("with debug logging, the debug log contains the stack of an error's cause", async () => {
  await using world = await startWorld();
  world.on(LIST_V1, json(401, { error: "A bad key" }));
  const { outputs, debug } = await world.run("jobs", { debug: true });
  expect(outputs.errorKind).toBe("unauthorized");
  expect(debug.join("\n")).toMatch(/ActionError[\s\S]* at [\s\S]*ServiceError[\s\S]* at /);
});

test("without debug logging, there are no debug lines", async () => {
  await using world = await startWorld(WITH_JOB);
  const { debug, stdout } = await world.run("root");
  expect(debug).toEqual([]);
  expect(stdout).not.toContain("Docs Agent Action");
  expect(stdout).not.toContain(" ms, ");
});
