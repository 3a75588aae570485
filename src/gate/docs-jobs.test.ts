import { expect, test } from "vitest";
import { WORKFLOW } from "../../emulator/github/people.ts";
import { REPOSITORY } from "../../emulator/local-world/memory-servers.ts";
import { FaultyServers } from "../../test/support/memory-world/faulty-servers.ts";
import { chance, runInMemory } from "../../test/support/memory-world/runs.ts";
import { jobMarkers } from "../github/conversation/job-marker.ts";
import { gate } from "./gate.ts";

const CREATE = new URL("https://service.test/v2/agent/docs/job");

/** A pull request whose status comment was written under an old name of the repository. */
function setUp() {
  const servers = new FaultyServers(() => ({ outcome: "completed", takes: 3_600_000 }));
  const { repository: home } = servers;
  const pull = home.openPull({ commits: [{ files: { "src/retry.ts": "1\n" } }] });
  servers.exchange({ method: "POST", url: CREATE, body: JSON.stringify({ prompt: "Docs." }) });
  const [job] = servers.agent.jobs;
  const comment = home.comment(pull, "", WORKFLOW);
  const step = { run: "1", attempt: 1, step: "docs", asks: "hash" };
  const facts = { job: job?.id ?? "", api: "v2", request: "accepted" as const, ended: false };
  const place = { repository: REPOSITORY, issue: pull.number };
  const marker = { ...facts, ...step };
  home.setComment(comment, jobMarkers(["mint_test"], "docs").write(place, marker, comment.id));
  home.rename("acme/handbook");
  const run = async () => {
    const inputs = { "docs-paths": "docs/**" };
    const payload = { pull_request: { number: pull.number } };
    const { fullName: repository, id: repositoryId } = home;
    const context = { eventName: "pull_request", payload, repository, repositoryId };
    const main = async (...args: Parameters<typeof gate>) => void (await gate(...args));
    return await runInMemory(servers, { main, inputs, context }, { random: chance(1) });
  };
  return { servers, run };
}

test("a job whose status comment was written before the repository was renamed covers", async () => {
  const { run } = setUp();
  expect(await run()).toMatchObject({ outputs: { verdict: "covered", jobId: "job-1" } });
});

test("it does not if another repository has the old name", async () => {
  const { servers, run } = setUp();
  servers.github.create(REPOSITORY);
  expect(await run()).toMatchObject({ outputs: { verdict: "needed" } });
});
