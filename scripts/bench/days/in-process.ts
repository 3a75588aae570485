/** Runs of upkeep from its source, in this process: GitHub and the service are in memory, and fail now and then. */

import {
  GITHUB,
  type MemoryServers,
  REPOSITORY,
  SERVICE,
} from "../../../emulator/local-world/memory-servers.ts";
import { recordKilledRun } from "../../../src/batches/post-step.ts";
import type { RunContext } from "../../../src/github/trigger/run-context.ts";
import {
  ExchangeError,
  Http,
  type HttpAnswer,
  type OpenAnswer,
  type Outgoing,
} from "../../../src/net/http.ts";
import { Cancellation } from "../../../src/runtime/cancellation.ts";
import type { Dependencies } from "../../../src/runtime/dependencies.ts";
import { asActionError } from "../../../src/runtime/errors.ts";
import { Secrets } from "../../../src/text/secrets.ts";
import { upkeep } from "../../../src/upkeep/upkeep.ts";

/** How long each request takes, in milliseconds of the simulated time. */
const TAKES = 150;
/** The workflow's file. */
export const WORKFLOW = ".github/workflows/docs.yml";

/** What became of a run. */
export interface DaysRun {
  /** Empty if the step succeeded. */
  errorKind: string;
  outputs: Readonly<Record<string, string>>;
  /** How many requests it made to GitHub. */
  requests: number;
  /** In milliseconds of the simulated time. */
  took: number;
}

export interface DaysRunOptions {
  inputs: Readonly<Record<string, string>>;
  /** The ID of the workflow run. */
  runId: string;
  /** Whether a person started it. */
  isByHand: boolean;
  /** The share of requests that fail. */
  failing: number;
  random: () => number;
}

/** Runs upkeep and its post step. */
export async function runUpkeep(servers: MemoryServers, options: DaysRunOptions): Promise<DaysRun> {
  const begun = servers.now;
  const http = new FailingHttp(servers, options);
  const outputs: Record<string, string> = {};
  let saved: unknown = null;
  const dependencies: Dependencies = {
    ...QUIET,
    outputs: {
      setOutput: (name, value) => {
        outputs[name] = value ?? "";
      },
      saveState: (state) => {
        saved = structuredClone(state);
      },
      writeSummary: () => {},
    },
    clock: {
      now: () => servers.now,
      timeOfDay: () => servers.now,
      sleep: async (milliseconds) => {
        servers.now += milliseconds;
      },
    },
    random: options.random,
    http,
  };
  const values: Readonly<Record<string, string>> = { ...ADDRESSES, ...options.inputs };
  const read = (name: string) => values[name] ?? "";
  const context = contextOf(options, servers.repository.tip());
  let errorKind = "";
  try {
    await upkeep(read, context, dependencies);
  } catch (error) {
    errorKind = asActionError(error).kind;
    if (errorKind === "internal") throw error;
  }
  if (saved !== null) await recordKilledRun(saved, read, context, dependencies);
  return { errorKind, outputs, requests: http.toGitHub, took: servers.now - begun };
}

const ADDRESSES = {
  "api-key": "mint_bench",
  "project-id": "docs",
  "base-url": SERVICE,
  "github-token": "ghs_bench",
  "github-api-url": GITHUB,
};

const ignore = () => {};
const QUIET = {
  title: "Docs upkeep",
  log: { debug: ignore, info: ignore, notice: ignore, warning: ignore, error: ignore },
  secrets: new Secrets([]),
  cancellation: new Cancellation(),
};

function contextOf({ runId, isByHand }: DaysRunOptions, sha: string): RunContext {
  return {
    eventName: isByHand ? "workflow_dispatch" : "schedule",
    payload: { repository: { default_branch: "main" } },
    repository: REPOSITORY,
    repositoryId: null,
    workflow: WORKFLOW,
    job: "upkeep",
    sha,
    branch: "main",
    runId,
    attempt: 1,
    step: "upkeep/docs",
    actionRepository: null,
    serverUrl: "https://github.com",
    runUrl: `https://github.com/${REPOSITORY}/actions/runs/${runId}/attempts/1`,
    workspace: "/work",
    apiUrl: GITHUB,
  };
}

/** Answers by 502 or not at all, now and then: before what was asked for is done, or after. */
class FailingHttp extends Http {
  toGitHub = 0;
  readonly #servers: MemoryServers;
  readonly #options: DaysRunOptions;

  constructor(servers: MemoryServers, options: DaysRunOptions) {
    super({});
    this.#servers = servers;
    this.#options = options;
  }

  override checkProxy(): void {}

  override async open(outgoing: Outgoing): Promise<OpenAnswer> {
    const { status, headers, text } = await this.exchange(outgoing);
    return { status, headers, body: ReadableStream.from([Buffer.from(text)]) };
  }

  override async exchange(outgoing: Outgoing): Promise<HttpAnswer> {
    const { random, failing } = this.#options;
    this.#servers.now += TAKES;
    if (outgoing.url.origin === GITHUB) this.toGitHub += 1;
    if (random() >= failing) return this.#servers.perform(outgoing);
    if (random() < 0.5) this.#servers.perform(outgoing);
    if (random() < 0.5) throw new ExchangeError("sent", "network", "the connection was reset");
    const date = new Date(this.#servers.now).toUTCString();
    const headers = { date, "content-type": "text/html" };
    return { status: 502, headers, text: "<html><title>502 Bad Gateway</title></html>" };
  }
}
