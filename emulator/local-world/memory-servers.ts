/**
 * GitHub and the service in memory, for thousands of runs: without HTTP, and with a clock that only the test
 * advances.
 */

import { GitHub } from "../github/github.ts";
import { lagOfAll } from "../github/lag.ts";
import { AGENT, WORKFLOW } from "../github/people.ts";
import type { Pull } from "../github/state.ts";
import { HttpError } from "../http/http-error.ts";
import type { Job, Turn } from "../service/agent/job.ts";
import { Jobs } from "../service/agent/jobs.ts";
import { answerList, answerV2 } from "../service/agent/routes.ts";
import { DEFAULT_STEERING, type Outcome, type Steering } from "../service/agent/steering.ts";
import { answerBuilds } from "../service/builds.ts";
import { answerOf, takeFault } from "../service/faults.ts";
import type { Service } from "../service/service.ts";
import { serviceState } from "../service/state.ts";

export const REPOSITORY = "acme/code";
export const GITHUB = "https://api.github.test";
export const SERVICE = "https://service.test";
const PROJECT = "docs";
/** Tokens that a workflow may have. */
const TOKENS = ["ghs_test", "ghs_bench"];

export interface MemoryRequest {
  method: string;
  url: URL;
  headers?: Readonly<Record<string, string | undefined>>;
  body?: string | undefined;
}

export interface WholeAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** How a turn of a job ends. `unknown` means that the service no longer knows the job. */
export type PlannedOutcome = Outcome | "unknown";

/** How the agent does its next turn. */
export interface Plan {
  outcome: PlannedOutcome;
  /** How long it works, in milliseconds. */
  takes: number;
  /** How else it goes. */
  steering?: Partial<Steering>;
}

export class MemoryServers {
  now = Date.parse("2026-03-01T12:00:00Z");
  readonly github = new GitHub(() => this.now);
  readonly repository = this.github.create(REPOSITORY);
  readonly agent: PlannedAgent;

  constructor(plan: () => Plan) {
    this.github.site.apiUrl = GITHUB;
    for (const token of TOKENS) this.github.site.tokens.set(token, WORKFLOW);
    this.agent = new PlannedAgent(this.github, plan);
    // So that an outdated copy has the repository, too.
    this.now += 60_000;
  }

  /** @param behind age of the copy of GitHub's database that answers a read, in milliseconds */
  perform({ method, url, headers = {}, body }: MemoryRequest, behind?: number): WholeAnswer {
    if (url.origin === SERVICE) return this.agent.answer(method, url, body);
    const asked = { method, path: `${url.pathname}${url.search}`, headers, body };
    const {
      status,
      headers: sent,
      body: content,
    } = this.github.handle(asked, behind === undefined ? this.github.lag : lagOfAll(behind));
    return { status, headers: sent, text: String(content) };
  }
}

/** The service's jobs, which end as planned. */
export class PlannedAgent {
  readonly service: Service;
  readonly #github: GitHub;

  /** @param plan called for each accepted request: how its turn goes */
  constructor(github: GitHub, plan: () => Plan) {
    const now = () => github.site.now;
    const state = serviceState({
      projects: [{ id: PROJECT, repository: REPOSITORY }],
      archivedIsClosed: true,
      limits: { agent: 1_000_000, previews: 5, deployments: 10 },
    });
    const newId = () => `job-${state.jobs.length + 1}`;
    const jobs = new Jobs(state, { github, now, newId, steering: () => steeringOf(plan()) });
    github.beforeRequest = () => jobs.finishDue();
    this.service = { state, jobs, github, now, signal: new AbortController().signal };
    this.#github = github;
  }

  get jobs(): readonly Job[] {
    return this.service.state.jobs;
  }

  /** Every request that was accepted, in order. */
  get accepted(): Turn[] {
    return this.jobs.flatMap(({ turns }) => turns).sort((a, b) => a.startedAt - b.startedAt);
  }

  /** The pull requests that jobs opened. */
  get pulls(): Pull[] {
    return this.#github.repositories.flatMap(({ pulls }) =>
      pulls.filter(({ author }) => author === AGENT),
    );
  }

  /** Opens the pull requests of the turns that have ended. */
  openDuePulls(): void {
    this.service.jobs.finishDue();
  }

  answer(method: string, url: URL, body = "{}"): WholeAnswer {
    const fault = takeFault(this.service.state, { method, path: url.pathname, body });
    if (fault === undefined) return this.#answer(method, url, body);
    if (fault.isAfter === true) this.#answer(method, url, body);
    return answerOf(fault);
  }

  #answer(method: string, url: URL, body: string): WholeAnswer {
    try {
      const fields = JSON.parse(body || "{}") as { prompt?: string; branch?: string };
      if (url.pathname.startsWith("/v1/project/")) {
        return answer(answerBuilds(this.service, url, fields.branch ?? ""));
      }
      if (/^\/v1\/agent\/[^/]+\/jobs$/.test(url.pathname)) {
        return answer({ status: 200, body: answerList(this.service, url) });
      }
      return answer(answerV2(this.service, method, url.pathname, fields.prompt ?? ""));
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      return answer({ status: error.status, body: { error: error.message } });
    }
  }
}

function steeringOf({ outcome, takes, steering }: Plan): Steering {
  const isUnknown = outcome === "unknown";
  return {
    ...DEFAULT_STEERING,
    durationMs: takes,
    busy: true,
    ...steering,
    outcome: isUnknown ? "no-changes" : outcome,
    isForgotten: isUnknown,
  };
}

/** A whole answer in JSON. */
export function answer({ status, body }: { status: number; body: unknown }): WholeAnswer {
  const headers = { "content-type": "application/json; charset=utf-8" };
  return { status, headers, text: JSON.stringify(body) };
}
