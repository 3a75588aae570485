// Measures a run of upkeep: with nothing new and a long history, and after a missed month.
import { filesIn } from "../../emulator/github/git/trees.ts";
import type { MergeMethod } from "../../emulator/github/merge.ts";
import { MemoryServers } from "../../emulator/local-world/memory-servers.ts";
import { actionStep, compare, type Row, type Side, time } from "./measure.ts";
import { type BenchServer, serveMemory } from "./servers.ts";

const DONE = [5_000, 50_000];
const REVIEWS = 3;
const PULLS = 200;
const COMMITS = 5;
/** Numbers of repositories, and how many requests a run over them may make if none moved. */
const SOURCES = [
  [120, 12],
  [1_000, 40],
] as const;
const HOUR = 60 * 60_000;
const MONTH = 30 * 24 * HOUR;

export async function benchUpkeep(runs: number): Promise<Row[]> {
  const lines: Row[] = [];
  for (const done of DONE) lines.push(...(await idle(done, runs)));
  for (const [sources, most] of SOURCES) lines.push(...(await idleSources(sources, most)));
  for (const method of ["merge", "squash", "rebase"] as const) {
    lines.push(...(await missedMonth(method)));
  }
  return lines;
}

/** A few docs pull requests in review, a running batch, and nothing merged since. */
async function idle(done: number, runs: number): Promise<Row[]> {
  const servers = newServers();
  using server = await serveMemory(servers);
  await prepare(servers, server);
  for (let batch = 0; batch <= REVIEWS; batch++) {
    servers.repository.land();
    await prepare(servers, server);
  }
  addDone(servers, done);
  // Updates the dashboard.
  await prepare(servers, server, 0);
  const name = `${REVIEWS} docs pull requests in review, ${done.toLocaleString("en-US")} changes done`;
  const bounds = { time: 1.85, toGitHub: 6 + REVIEWS, toService: 1, peak: 120 };
  return await compare(name, action(server), runs, bounds);
}

/** Nothing new in many repositories, which the ledger knows. */
async function idleSources(count: number, most: number): Promise<Row[]> {
  const servers = newServers();
  using server = await serveMemory(servers);
  const names = Array.from({ length: count }, (_, nth) => `acme/part-${nth}`);
  for (const name of names) servers.github.create(name);
  servers.now += HOUR;
  const inputs = { repositories: names.join("\n"), since: new Date(servers.now).toISOString() };
  servers.now += HOUR;
  // The first runs read where each of them begins.
  let { toGitHub } = await time(action(server, inputs));
  for (let run = 0; run < 12 && toGitHub.length > most; run++) {
    servers.now += HOUR;
    ({ toGitHub } = await time(action(server, inputs)));
  }
  servers.now += HOUR;
  const { toGitHub: idle, wall } = await time(action(server, inputs));
  const name = `${count.toLocaleString("en-US")} repositories, none moved`;
  return [
    [`${name}: requests to GitHub`, idle.length, "requests", most],
    [`${name}: time`, wall, "ms", 5_000],
  ];
}

/** A thousand commits in two hundred merged pull requests, in a month without a run. */
async function missedMonth(method: MergeMethod): Promise<Row[]> {
  const name = `missed month, ${PULLS} × ${method}`;
  const servers = newServers();
  using server = await serveMemory(servers);
  await prepare(servers, server);
  for (let pull = 1; pull <= PULLS; pull++) {
    servers.now += MONTH / PULLS;
    servers.repository.land({ commits: Array.from({ length: COMMITS }, () => ({})) }, method);
  }
  const { toGitHub, wall, memory } = await time(action(server));
  if (servers.agent.accepted.length !== 1) throw new Error(`${name}: nothing was handed over`);
  const writes = toGitHub.filter((request) => /^(?!GET ).* \S+\/git\//.test(request));
  const moves = writes.filter((request) => request.includes("/git/refs"));
  const requestsPerWrite = writes.length / moves.length;
  return [
    [`${name}: requests to GitHub`, toGitHub.length, "requests", 60],
    [`${name}: requests for a ledger write`, requestsPerWrite, "requests", 3],
    [`${name}: peak memory`, memory, "MiB", 120],
    [`${name}: time`, wall, "ms", 3_000],
  ];
}

/** Adds ended batches of twenty changes in the last two years, to the history and the ledger. */
function addDone(servers: MemoryServers, count: number): void {
  const { repository } = servers;
  const { refs, objects, find } = repository;
  const [ref, sha] = [...refs].find(([name]) => name.startsWith("refs/docs-agent/")) ?? ["", ""];
  const inLedger = filesIn(objects, find(sha)?.tree ?? "");
  const blob = inLedger.find(({ path }) => path === "ledger.json")?.sha ?? "";
  const ledger = JSON.parse(String(objects.blobs.get(blob)));
  const [example] = ledger.reviews[0].changes;
  const batches = Array.from({ length: count / 20 }, (_, nth) => ({
    batch: `1-1-0.1.${nth}`,
    at: new Date(servers.now - (MONTH * (24 * nth * 20)) / count),
    state: "done",
    jobId: `job-of-${nth}`,
    prLink: null,
    attempt: 1,
    changes: Array.from({ length: 20 }, (_, at) => ({ ...example, key: `done/${nth}.${at}` })),
  }));
  const files: Record<string, string> = {};
  for (const batch of batches) {
    const path = `history/${batch.at.toISOString().slice(0, 7)}.jsonl`;
    files[path] = `${files[path] ?? ""}${JSON.stringify(batch)}\n`;
  }
  const done = batches.slice(0, 50).map(({ changes }) => ({
    result: "none",
    prLink: null,
    changes: changes.slice(0, 10),
    more: 10,
  }));
  const historyFiles = [...new Set([...Object.keys(files).sort(), ...ledger.historyFiles])];
  const writes = ledger.writes + 1;
  files["ledger.json"] = JSON.stringify({ ...ledger, done, writes, historyFiles });
  repository.setRef(ref, repository.commit(sha, { files }));
}

/** Servers whose last job runs for hours; the ones before end soon. */
function newServers(): MemoryServers {
  let jobs = 0;
  return new MemoryServers(() => {
    jobs += 1;
    return { outcome: "completed", takes: jobs > REVIEWS ? 10 * HOUR : HOUR / 2 };
  });
}

/** A run before the measurement. */
async function prepare(servers: MemoryServers, server: BenchServer, after = HOUR): Promise<void> {
  servers.now += after;
  await time(action(server, { since: new Date(servers.now).toISOString() }));
}

function action(server: BenchServer, inputs: Record<string, string> = {}): Side {
  return actionStep("upkeep", server, { "open-pull-request": "new", ...inputs });
}
