// npm run bench: the whole process of the action, from start to exit, against a script that sends the same
// four requests (create, one look, the comment's create and edit) with node:http alone, on loopback.
//
//   --runs N    how often each side runs (default 40)
//
// Exits with 1 past the bounds below. It depends on the machine's mood, so it is no part of the tests.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { cpus, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** How much more than the bare script the action may take. */
const MAX_TIME_RATIO = 2.0;
const MAX_MEMORY_RATIO = 1.5;

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const work = mkdtempSync(join(tmpdir(), "docs-agent-bench-"));
const argument = process.argv.indexOf("--runs");
const runs = argument === -1 ? 40 : Number(process.argv[argument + 1]);

/** Both services in one: every request is answered at once. */
function startServer(counts: Map<string, number>): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      const method = request.method ?? "";
      counts.set(method, (counts.get(method) ?? 0) + 1);
      const isJob = request.url?.startsWith("/v2/") ?? false;
      const status = isJob && method === "POST" ? "active" : "completed";
      const prLink = status === "active" ? null : "https://github.com/acme/docs/pull/7";
      const job = { id: "job_1", status, prLink, createdAt: "2026-01-01T00:00:00Z" };
      const comment = { id: 1, html_url: "https://github.com/acme/docs/issues/1#issuecomment-1" };
      response.writeHead(method === "POST" ? 201 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(isJob ? job : comment));
    });
  });
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done(server)));
}

interface Side {
  name: string;
  file: string;
  env: Record<string, string>;
}

/** One process from start to exit: milliseconds, or its peak memory in KiB when `measureMemory` is set. */
async function once(side: Side, measureMemory: boolean): Promise<number> {
  const peak = join(work, "peak");
  const preload = measureMemory ? ["--require", join(root, "scripts/bench/peak.cjs")] : [];
  const begun = process.hrtime.bigint();
  const child = spawn(process.execPath, [...preload, side.file], {
    env: { PATH: process.env.PATH ?? "", PEAK_FILE: peak, ...side.env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const code = await new Promise((done) => child.on("exit", done));
  const took = Number(process.hrtime.bigint() - begun) / 1e6;
  if (code !== 0) throw new Error(`${side.name} ended with exit code ${code}`);
  return measureMemory ? Number(readFileSync(peak, "utf8")) : took;
}

/** Runs both sides in turn, so that whatever else the machine does meets both. */
async function alternate(sides: readonly Side[], measureMemory: boolean): Promise<number[][]> {
  const results = sides.map((): number[] => []);
  for (let run = 0; run < runs + 3; run++) {
    for (const [index, side] of sides.entries()) {
      const value = await once(side, measureMemory);
      if (run >= 3) results[index]?.push(value);
    }
  }
  return results;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const counts = new Map<string, number>();
const server = await startServer(counts);
try {
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const name of ["event.json", "output", "state", "summary"]) {
    writeFileSync(join(work, name), name === "event.json" ? "{}" : "");
  }
  const sides: Side[] = [
    {
      name: "bare script",
      file: join(root, "scripts/bench/bare.mjs"),
      env: { SERVICE: address, GITHUB: address },
    },
    {
      name: "action",
      file: join(root, "dist/main/index.js"),
      env: {
        "INPUT_API-KEY": "mint_bench",
        "INPUT_PROJECT-ID": "docs",
        INPUT_PROMPT: "Bring the documentation up to date.",
        "INPUT_POLL-INTERVAL-SECONDS": "0.001",
        "INPUT_ISSUE-NUMBER": "1",
        "INPUT_GITHUB-TOKEN": "ghs_bench",
        "INPUT_GITHUB-API-URL": address,
        "INPUT_BASE-URL": address,
        GITHUB_EVENT_NAME: "schedule",
        GITHUB_EVENT_PATH: join(work, "event.json"),
        GITHUB_REPOSITORY: "acme/docs",
        GITHUB_RUN_ID: "1",
        GITHUB_RUN_ATTEMPT: "1",
        GITHUB_OUTPUT: join(work, "output"),
        GITHUB_STATE: join(work, "state"),
        GITHUB_STEP_SUMMARY: join(work, "summary"),
      },
    },
  ];
  const [bareTimes = [], actionTimes = []] = await alternate(sides, false);
  const [bareMemory = [], actionMemory = []] = await alternate(sides, true);
  const requests = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const perRun = requests / (4 * (runs + 3));

  const times = [median(bareTimes), median(actionTimes)] as const;
  const memory = [median(bareMemory) / 1024, median(actionMemory) / 1024] as const;
  const timeRatio = times[1] / times[0];
  const memoryRatio = memory[1] / memory[0];
  console.log(`node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown CPU"}`);
  console.log(`${runs} runs of each in alternation, ${perRun} requests a run, medians\n`);
  console.log("              bare script     action      ratio   bound");
  console.log(
    `wall time     ${format(times[0], "ms")}   ${format(times[1], "ms")}   ${timeRatio.toFixed(2).padStart(6)}   ${MAX_TIME_RATIO.toFixed(2)}`,
  );
  console.log(
    `peak memory   ${format(memory[0], "MiB")}   ${format(memory[1], "MiB")}   ${memoryRatio.toFixed(2).padStart(6)}   ${MAX_MEMORY_RATIO.toFixed(2)}`,
  );
  if (!(timeRatio <= MAX_TIME_RATIO && memoryRatio <= MAX_MEMORY_RATIO)) {
    console.error("\nPast the bounds.");
    process.exitCode = 1;
  }
} finally {
  server.close();
  rmSync(work, { recursive: true });
}

function format(value: number, unit: string): string {
  return `${value.toFixed(1)} ${unit}`.padStart(11);
}
