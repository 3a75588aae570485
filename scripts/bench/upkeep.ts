// What a run of upkeep costs: with nothing new, after a missed month, and with a ledger of years.
import type { MergeMethod } from "../../emulator/github/merge.ts";
import { MemoryServers } from "../../emulator/local-world/memory-servers.ts";
import { API_KEY, bareScript } from "./action-step.ts";
import { addBatches } from "./large-ledger.ts";
import { type Line, line, printLines } from "./lines.ts";
import { type Bench, type Side, time, weigh } from "./measure.ts";
import { compareTimes, memoryAction, requestsOf, serving } from "./memory-action.ts";
import type { MemoryServer } from "./memory-server.ts";

/** Bounds: see docs/performance.md. */
const MAX_IDLE_RATIO = 2.2;
const MAX_IDLE_REQUESTS = 6;
const MAX_POLLS = 1;
const MAX_MONTH_REQUESTS = 60;
const MAX_MONTH_MEMORY = 120;
const MAX_MONTH_TIME = 3_000;
const MAX_PAGES = 3;

const PULLS = 200;
const COMMITS = 5;
/** GitHub takes 2,500 comments on an issue, and a batch has one of its own. */
const BATCHES = 2_400;
const DAY = 24 * 60 * 60_000;
const HOUR = 60 * 60_000;

/** Measures all, prints it, and returns whether it stays within the bounds. */
export async function benchUpkeep(bench: Bench): Promise<boolean> {
  const lines = [...(await idle(bench)), ...(await missedMonth(bench)), ...(await years(bench))];
  return printLines(lines);
}

/** A ledger with one batch at work, and nothing that has landed since. */
async function idle(bench: Bench): Promise<Line[]> {
  const servers = newServers();
  await run(servers, bench);
  servers.repository.land();
  await run(servers, bench);
  return await serving(servers, bench, async (server) => {
    const { toGitHub, polls } = await requestsOf(action(server, bench), server, bench);
    const script = bareScript("upkeep", server.address);
    const told = { what: "nothing new", bound: MAX_IDLE_RATIO };
    return [
      line("nothing new: requests to GitHub", toGitHub.length, MAX_IDLE_REQUESTS),
      line("nothing new: polls", polls.length, MAX_POLLS),
      await compareTimes(action(server, bench), script, bench, told),
    ];
  });
}

/** A thousand commits in two hundred merged pull requests, in a month without a run. */
async function missedMonth(bench: Bench): Promise<Line[]> {
  const lines: Line[] = [];
  for (const method of ["merge", "squash", "rebase"] as const) {
    const name = `missed month, ${PULLS} × ${method}`;
    const measured = async (measure: (server: MemoryServer) => Promise<Line[]>) => {
      const servers = await afterMonth(method, bench);
      lines.push(...(await serving(servers, bench, measure)));
      if (servers.agent.accepted.length !== 1) throw new Error(`${name}: nothing was handed over`);
    };
    await measured(async (server) => {
      const { toGitHub } = await requestsOf(action(server, bench), server, bench);
      return [line(`${name}: requests to GitHub`, toGitHub.length, MAX_MONTH_REQUESTS)];
    });
    await measured(async (server) => {
      return [line(`${name}: MiB`, await weigh(action(server, bench), bench), MAX_MONTH_MEMORY)];
    });
    await measured(async (server) => {
      const { wall } = await time(action(server, bench), bench);
      return [line(`${name}: ms`, wall, MAX_MONTH_TIME)];
    });
  }
  return lines;
}

async function afterMonth(method: MergeMethod, bench: Bench): Promise<MemoryServers> {
  const servers = newServers();
  await run(servers, bench);
  for (let pull = 1; pull <= PULLS; pull++) {
    servers.now += (30 * DAY) / PULLS;
    servers.repository.land({ commits: Array.from({ length: COMMITS }, () => ({})) }, method);
  }
  return servers;
}

/** A ledger of thousands of batches. */
async function years(bench: Bench): Promise<Line[]> {
  const servers = newServers();
  await run(servers, bench);
  addBatches(servers, BATCHES, API_KEY);
  servers.repository.land();
  return await serving(servers, bench, async (server) => {
    const { toGitHub } = await requestsOf(action(server, bench), server, bench);
    const reads = toGitHub.filter((it) => /^GET .*\/comments\?/.test(it));
    // What is written is read again: the pages are those of one reading.
    const pages = Math.max(...reads.map((it) => Number(/[?&]page=(\d+)/.exec(it)?.[1] ?? 1)));
    if (servers.agent.accepted.length !== 1) throw new Error("nothing was handed over");
    return [line(`${BATCHES} batches in the ledger: pages of comments`, pages, MAX_PAGES)];
  });
}

function newServers(): MemoryServers {
  return new MemoryServers(() => ({ outcome: "completed", takes: HOUR }));
}

/** A run that prepares what is measured. */
async function run(servers: MemoryServers, bench: Bench): Promise<void> {
  servers.now += HOUR;
  await serving(servers, bench, async (server) => {
    const { env, ...side } = action(server, bench);
    const since = new Date(servers.now).toISOString();
    await time({ ...side, env: { ...env, INPUT_SINCE: since } }, bench);
    return [];
  });
}

/** The action as a runner starts it. */
function action(server: MemoryServer, bench: Bench): Side {
  return memoryAction("upkeep", server, bench);
}
