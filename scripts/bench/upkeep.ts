// What a run of upkeep costs: with nothing new and a long history, after a missed month, and over many repositories.
import { filesIn } from "../../emulator/github/git/trees.ts";
import type { MergeMethod } from "../../emulator/github/merge.ts";
import { MemoryServers } from "../../emulator/local-world/memory-servers.ts";
import { bareScript } from "./action-step.ts";
import { type Line, line, printLines } from "./lines.ts";
import { type Bench, type Side, time, weigh } from "./measure.ts";
import { compareTimes, memoryAction, requestsOf, serving } from "./memory-action.ts";
import type { MemoryServer } from "./memory-server.ts";

/** Bounds: see docs/performance.md. */
const MAX_IDLE_RATIO = 1.7;
const MAX_IDLE_REQUESTS = 6;
const MAX_POLLS = 1;
const MAX_REQUESTS_A_WRITE = 3;
const MAX_MONTH_REQUESTS = 60;
const MAX_MONTH_TIME = 3_000;
/** What a run may make to read changes, and what ledger and dashboard take beside. */
const MAX_REQUESTS = 300 + 16;
const MAX_MEMORY = 120;

const DONE = [5_000, 50_000];
const REVIEWS = 3;
const PULLS = 200;
const COMMITS = 5;
const REPOSITORIES = 100;
const HOUR = 60 * 60_000;
const MONTH = 30 * 24 * HOUR;

const INPUTS = { "open-pull-request": "new" };

/** Measures all, prints it, and returns whether it stays within the bounds. */
export async function benchUpkeep(bench: Bench): Promise<boolean> {
  const lines: Line[] = [];
  for (const done of DONE) lines.push(...(await idle(done, bench)));
  for (const method of ["merge", "squash", "rebase"] as const) {
    lines.push(...(await missedMonth(method, bench)));
  }
  return printLines([...lines, ...(await manyRepositories(bench))]);
}

/** Some docs pull requests in review, one batch at work, and nothing that has landed since. */
async function idle(done: number, bench: Bench): Promise<Line[]> {
  const servers = newServers();
  await run(servers, bench);
  for (let batch = 0; batch <= REVIEWS; batch++) {
    servers.repository.land();
    await run(servers, bench);
  }
  addDone(servers, done);
  // Its dashboard comes to show them.
  await run(servers, bench, 0);
  return await serving(servers, bench, async (server) => {
    const step = action(server, bench);
    const { toGitHub, polls } = await requestsOf(step, server, bench);
    const name = `nothing new, ${done.toLocaleString("en-US")} changes done`;
    return [
      line(
        `${name}, ${REVIEWS} docs pull requests in review: requests to GitHub`,
        ...[toGitHub.length, MAX_IDLE_REQUESTS + REVIEWS],
      ),
      line(`${name}: polls`, polls.length, MAX_POLLS),
      line(`${name}: MiB`, await weigh(step, bench), MAX_MEMORY),
      await compareTimes(step, bareScript("upkeep", server.address), bench, {
        ...{ what: name, bound: MAX_IDLE_RATIO },
      }),
    ];
  });
}

/** A thousand commits in two hundred merged pull requests, in a month without a run. */
async function missedMonth(method: MergeMethod, bench: Bench): Promise<Line[]> {
  const name = `missed month, ${PULLS} × ${method}`;
  const measured = async (measure: (server: MemoryServer) => Promise<Line[]>) => {
    const servers = newServers();
    await run(servers, bench);
    for (let pull = 1; pull <= PULLS; pull++) {
      servers.now += MONTH / PULLS;
      servers.repository.land({ commits: Array.from({ length: COMMITS }, () => ({})) }, method);
    }
    const lines = await serving(servers, bench, measure);
    if (servers.agent.accepted.length !== 1) throw new Error(`${name}: nothing was handed over`);
    return lines;
  };
  return [
    ...(await measured(async (server) => {
      const { toGitHub } = await requestsOf(action(server, bench), server, bench);
      const writes = toGitHub.filter((it) => /^(?!GET ).* \S+\/git\//.test(it));
      const moves = writes.filter((it) => it.includes("/git/refs"));
      return [
        line(`${name}: requests to GitHub`, toGitHub.length, MAX_MONTH_REQUESTS),
        line(
          `${name}: requests for a ledger write`,
          ...[writes.length / moves.length, MAX_REQUESTS_A_WRITE],
        ),
      ];
    })),
    ...(await measured(async (server) => {
      return [line(`${name}: MiB`, await weigh(action(server, bench), bench), MAX_MEMORY)];
    })),
    ...(await measured(async (server) => {
      const { wall } = await time(action(server, bench), bench);
      return [line(`${name}: ms`, wall, MAX_MONTH_TIME)];
    })),
  ];
}

/** More than a run can read: the others are read by the next ones, and all of them in the end. */
async function manyRepositories(bench: Bench): Promise<Line[]> {
  const servers = newServers();
  const names = Array.from({ length: REPOSITORIES }, (_, nth) => `acme/part-${nth + 1}`);
  for (const name of names) servers.github.create(name);
  const inputs = { repositories: names.join("\n"), since: new Date(servers.now).toISOString() };
  servers.now += HOUR;
  for (const name of names) servers.github.find(name).land();
  const requests: number[] = [];
  const lines = await serving(servers, bench, async (server) => {
    const step = memoryAction("upkeep", server, bench, { ...INPUTS, ...inputs });
    const isAll = () => names.every((name) => ledgerText(servers).includes(`"${name}"`));
    do {
      servers.now += HOUR;
      requests.push((await requestsOf(step, server, bench)).toGitHub.length);
    } while (!isAll() && requests.length < REPOSITORIES);
    return [line(`${REPOSITORIES} repositories: MiB`, await weigh(step, bench), MAX_MEMORY)];
  });
  const name = `${REPOSITORIES} repositories, read in ${requests.length} runs: requests to GitHub`;
  return [line(`${name} in a run, at most`, Math.max(...requests), MAX_REQUESTS), ...lines];
}

/** Ends batches of twenty changes in the two years before: lines of the history, and what the ledger keeps of them. */
function addDone(servers: MemoryServers, count: number): void {
  const { repository } = servers;
  const ledger = JSON.parse(ledgerText(servers));
  const [example] = ledger.reviews[0].changes;
  const batches = Array.from({ length: count / 20 }, (_, nth) => ({
    ...{ batch: `1-1-0.1.${nth}`, at: new Date(servers.now - (MONTH * (24 * nth * 20)) / count) },
    ...{ state: "done", jobId: `job-of-${nth}`, prLink: null, attempt: 1 },
    changes: Array.from({ length: 20 }, (_, at) => ({ ...example, key: `done/${nth}.${at}` })),
  }));
  const files: Record<string, string> = {};
  for (const batch of batches) {
    const path = `history/${batch.at.toISOString().slice(0, 7)}.jsonl`;
    files[path] = `${files[path] ?? ""}${JSON.stringify(batch)}\n`;
  }
  const done = batches.slice(0, 50).map(({ changes }) => ({
    ...{ result: "none", prLink: null, changes: changes.slice(0, 10), more: 10 },
  }));
  const historyFiles = [...new Set([...Object.keys(files).sort(), ...ledger.historyFiles])];
  const writes = ledger.writes + 1;
  files["ledger.json"] = JSON.stringify({ ...ledger, done, writes, historyFiles });
  const [ref, sha] = ledgerRef(servers);
  repository.setRef(ref, repository.commit(sha, { files }));
}

function ledgerRef({ repository }: MemoryServers): [ref: string, sha: string] {
  const found = [...repository.refs].find(([ref]) => ref.startsWith("refs/docs-agent/"));
  if (found === undefined) throw new Error("there is no ledger");
  return found;
}

function ledgerText(servers: MemoryServers): string {
  const { objects, find } = servers.repository;
  const tree = find(ledgerRef(servers)[1])?.tree ?? "";
  const file = filesIn(objects, tree).find(({ path }) => path === "ledger.json");
  return String(objects.blobs.get(file?.sha ?? ""));
}

/** The last of the jobs that an idle ledger has is at work for long. */
function newServers(): MemoryServers {
  let jobs = 0;
  return new MemoryServers(() => {
    jobs += 1;
    return { outcome: "completed", takes: jobs > REVIEWS ? 10 * HOUR : HOUR / 2 };
  });
}

/** A run that prepares what is measured. */
async function run(servers: MemoryServers, bench: Bench, after = HOUR): Promise<void> {
  servers.now += after;
  const since = new Date(servers.now).toISOString();
  await serving(servers, bench, async (server) => {
    await time(memoryAction("upkeep", server, bench, { ...INPUTS, since }), bench);
    return [];
  });
}

/** The action as a runner starts it. */
function action(server: MemoryServer, bench: Bench): Side {
  return memoryAction("upkeep", server, bench, INPUTS);
}
