// Measures a run of land: with nothing new, and with two hundred new docs pull requests.
import { MemoryServers } from "../../emulator/local-world/memory-servers.ts";
import { answerV2 } from "../../emulator/service/agent/routes.ts";
import { batchFormat } from "../../src/batches/model/format.ts";
import type { InReview } from "../../src/batches/model/ledger.ts";
import { shortHash } from "../../src/text/short-hash.ts";
import { actionStep, compare, type Row, type Side, time } from "./measure.ts";
import { type BenchServer, serveMemory } from "./servers.ts";

/** Requests to GitHub of a run with nothing new. @param pulls how many docs pull requests are open */
const mostRequests = (pulls: number) => 20 + pulls / 2;
const FEW = 3;
const MANY = 200;
const HOUR = 60 * 60_000;

export async function benchLand(runs: number): Promise<Row[]> {
  return [...(await idle(runs)), ...(await many())];
}

/** A few docs pull requests that wait for people. */
async function idle(runs: number): Promise<Row[]> {
  const servers = newServers(FEW);
  using server = await serveMemory(servers);
  for (let run = 0; run < 3; run++) {
    servers.now += HOUR;
    await time(action(server));
  }
  const bounds = { time: 1.7, toGitHub: mostRequests(FEW) };
  return await compare(`nothing new, ${FEW} docs pull requests`, action(server), runs, bounds);
}

/** The first run comments on all of them; the next one has nothing to do. */
async function many(): Promise<Row[]> {
  const servers = newServers(MANY);
  using server = await serveMemory(servers);
  const first = await time(action(server));
  const { repository } = servers;
  const comments = repository.pulls.map(({ number }) => repository.commentsOn(number));
  if (comments.some(({ length }) => length !== 1)) throw new Error("not every one has a comment");
  const { toGitHub, memory } = await time(action(server));
  const name = `${MANY} docs pull requests`;
  return [
    [`${name}, all new: peak memory`, first.memory, "MiB", 120],
    [`${name}, nothing new: requests to GitHub`, toGitHub.length, "requests", mostRequests(MANY)],
    [`${name}, nothing new: peak memory`, memory, "MiB", 120],
  ];
}

/** Jobs that opened docs pull requests, in upkeep's ledger. */
function newServers(count: number): MemoryServers {
  const servers = new MemoryServers(() => ({ outcome: "completed", takes: 0 }));
  const { agent, repository } = servers;
  for (let nth = 1; nth <= count; nth++) {
    answerV2(agent.service, "POST", "/v2/agent/docs/job", `Document endpoint ${nth}.`);
  }
  agent.openDuePulls();
  const reviews: InReview[] = agent.jobs.map(({ id, prLink }) => ({
    prLink: prLink ?? "",
    jobId: id,
    changes: [],
    others: [],
    endedAt: new Date(servers.now).toISOString(),
    unread: null,
    isClosedToBatches: false,
  }));
  const { begin } = batchFormat({ action: "upkeep", project: shortHash("docs") });
  const ledger = { ...begin, reviews };
  const files = { "ledger.json": JSON.stringify(ledger) };
  repository.setRef("refs/docs-agent/upkeep/docs", repository.commit(repository.tip(), { files }));
  servers.now += HOUR;
  return servers;
}

function action(server: BenchServer): Side {
  const rules = {
    merge: "checks",
    "allowed-paths": "docs/**",
    "required-checks": "docs-check",
    labels: "documentation",
  };
  return actionStep("land", server, rules);
}
