import { describe, expect, test } from "vitest";
import { tokenOf } from "../../../emulator/github/people.ts";
import { REPOSITORY } from "../../../emulator/local-world/memory-servers.ts";
import { gate } from "../../../src/gate/gate.ts";
import { FAULTS, type Fault, FaultyServers } from "../../support/memory-world/faulty-servers.ts";
import { chance, type RunOptions, runInMemory } from "../../support/memory-world/runs.ts";
import { sampleOf } from "../../support/sample.ts";

/** A pull request without documentation, which an outsider would like to excuse. */
function setUp(eventName: string) {
  const servers = new FaultyServers(() => ({ outcome: "completed", takes: 1 }));
  const commits = [{ files: { "src/retry.ts": "1\n" } }];
  const { number } = servers.repository.openPull({ commits });
  const posted = servers.github.handle({
    method: "POST",
    path: `/repos/${REPOSITORY}/issues/${number}/comments`,
    headers: { authorization: `Bearer ${tokenOf("outsider")}` },
    body: JSON.stringify({ body: "docs: none, please" }),
  });
  expect(posted.status).toBe(201);
  // Everything is older than the oldest copy that answers.
  servers.now += 600_000;
  let isRed = false;
  const payload = eventName === "schedule" ? {} : { pull_request: { number } };
  const action = {
    main: async (...args: Parameters<typeof gate>) => {
      isRed = await gate(...args);
    },
    inputs: { paths: "src/**", "docs-paths": "docs/**" },
    context: { eventName, payload },
  };
  const run = async (options: Partial<RunOptions> = {}) => {
    isRed = false;
    const ran = await runInMemory(servers, action, { random: chance(1), ...options });
    return { ...ran, isRed };
  };
  return { run, statuses: () => servers.repository.statuses.map(({ state }) => state) };
}

const nameOf = (fault: Fault) => Object.values(fault).join(" ");

describe.each(["pull_request", "schedule"])("on %s", async (eventName) => {
  const { requests } = await setUp(eventName).run();

  test.each(FAULTS.map((fault) => [nameOf(fault), fault] as const))(
    "whatever request ends with %s, the pull request is never green, and the next run sets its status",
    async (_, fault) => {
      for (const at of sampleOf([...requests.keys()], 1, `${eventName} ${nameOf(fault)}`)) {
        const { run, statuses } = setUp(eventName);
        const ran = await run({ faults: new Map([[at, fault]]) });
        const request = requests[at] ?? "";
        // Without a status, the step itself is red.
        const isSet = statuses().includes("failure");
        expect(isSet || ran.isRed || ran.errorKind !== "", request).toBe(true);
        expect(statuses(), request).not.toContain("success");
        expect(await run(), request).toMatchObject({ errorKind: "" });
        expect(statuses().at(-1), request).toBe("failure");
      }
    },
  );
});
