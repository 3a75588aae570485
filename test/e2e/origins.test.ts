import { expect, test } from "vitest";
import { WORKFLOW } from "../../emulator/github/people.ts";
import { isPull } from "../../emulator/github/state.ts";
import { ORIGINS, type Origin } from "../../scripts/origins.ts";
import { redirect } from "../support/answers.ts";
import { recordedHosts, recordingConnections } from "../support/check-run.ts";
import { startFaultyServer } from "../support/faulty-server.ts";
import { hostsBesideOrigins, hostsOf } from "../support/origins.ts";
import { byPhrase, comment } from "../support/phrase-events.ts";
import { startProxy } from "../support/proxy.ts";
import type { ActionName } from "../support/world/actions.ts";
import { documentChange, LAND } from "../support/world/docs-pulls.ts";
import { WITH_JOB } from "../support/world/jobs.ts";
import { type Run, startWorld, type World } from "../support/world/world.ts";

/** The environment in which an action of a world decides where to connect to. */
function surroundingsOf(world: World, action: ActionName, proxy: string | null = null) {
  const service = { "INPUT_BASE-URL": world.service.url };
  const github = { "INPUT_GITHUB-API-URL": world.github.url };
  return { action, env: { ...service, ...github, ...(proxy && { HTTPS_PROXY: proxy }) } };
}

/** The origins that a recorded run connected to. */
function originsOf(run: Run, where: ReturnType<typeof surroundingsOf>): Origin[] {
  const hosts = recordedHosts(run)?.filter((host) => !host.endsWith(":lookup")) ?? [];
  expect(hostsBesideOrigins(new Set(hosts), where)).toEqual([]);
  const known = Object.entries(hostsOf(where)) as [Origin, string][];
  return known.filter(([, host]) => hosts.includes(host)).map(([origin]) => origin);
}

/** A docs pull request whose check failed, with a log. */
async function failJob(world: World): Promise<void> {
  const { home } = world.github;
  const pull = home.issues.get(await documentChange(world));
  if (!isPull(pull)) throw new Error("there is no docs pull request");
  const [name, conclusion] = ["docs-check", "failure"];
  home.report({ name, head_sha: pull.head, app: WORKFLOW, event: "pull_request", conclusion });
  const { id = 0 } = home.checkRuns.at(-1) ?? {};
  home.jobLogs.set(id, "Dead link in docs/a.md\n");
}

test("each origin of the table is contacted, with the credential that it names, and no other", async () => {
  const seen = new Set<Origin>();
  await using world = await startWorld(LAND);
  await failJob(world);
  const before = world.received().length;
  const run = await world.run("land", recordingConnections({}));
  expect(run.outputs).toMatchObject({ followUpCount: "1" });
  for (const origin of originsOf(run, surroundingsOf(world, "land"))) seen.add(origin);
  for (const { host, path, headers } of world.received().slice(before)) {
    const isLog = path.startsWith("/_logs/");
    const credential = host === "service" ? world.service.adminKey : world.github.token;
    if (isLog) expect(headers.authorization).toBeUndefined();
    else expect(headers.authorization?.split(" ")[1]).toBe(credential);
  }
  await using proxy = await startProxy({ handle: () => 502 });
  const url = proxy.url.replace("//", "//robot:pr0xyPass@");
  const env = { HTTPS_PROXY: url };
  const inputs = { "base-url": "https://service.docs-agent.test" };
  const behind = await world.run("jobs", recordingConnections({ env, inputs }));
  for (const origin of originsOf(behind, surroundingsOf(world, "jobs", url))) seen.add(origin);
  expect(new Set(proxy.targets)).toEqual(new Set(["service.docs-agent.test:443"]));
  expect(new Set(proxy.authorizations)).toEqual(new Set([`Basic ${btoa("robot:pr0xyPass")}`]));
  expect(seen).toEqual(new Set(Object.keys(ORIGINS)));
});

test("a redirect within GitHub's API is followed with the token, and one to another origin is not", async () => {
  const permission = "/repos/acme/docs/collaborators/writer/permission";
  await using world = await startWorld({ ...WITH_JOB, repository: "acme/docs" });
  world.github.home.rename("acme/handbook");
  const asked = { ...byPhrase(comment("/docs explain")), repository: "acme/docs" };
  const run = await world.run("root", recordingConnections(asked));
  expect(run.outputs).toMatchObject({ status: "completed" });
  expect(originsOf(run, surroundingsOf(world, "root"))).toEqual(["service", "github"]);
  const requests = world.received("github");
  const [first, second] = requests.filter(({ path }) => path.endsWith("/writer/permission"));
  expect([first?.path, second?.path]).toEqual([
    permission,
    expect.stringMatching(/^\/repositories\/\d+\/collaborators\//),
  ]);
  expect(second?.headers.authorization).toBe(first?.headers.authorization);
  await using other = await startFaultyServer();
  world.on(`GET ${permission}`, redirect(302, `${other.url}${permission}`));
  await world.run("root", { ...asked, fastClock: 20 });
  expect(other.requests).toEqual([]);
});
