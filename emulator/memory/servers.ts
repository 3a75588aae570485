import { MemoryRepository } from "../github/history/memory.ts";
import { answerFromMemory } from "../github/history/memory-api.ts";
import { MemoryAgent, type Plan } from "./agent.ts";
import { MemoryIssues } from "./issues.ts";

export const REPOSITORY = "acme/code";
export const GITHUB = "https://api.github.test";
export const SERVICE = "https://service.test";

export interface MemoryRequest {
  method: string;
  url: URL;
  body?: string | undefined;
}

export interface WholeAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/**
 * GitHub and the service in memory, for thousands of runs: what upkeep reads and writes, with GitHub's rules,
 * and a clock that goes on only when it is told to.
 */
export class MemoryServers {
  now = Date.parse("2026-03-01T12:00:00Z");
  readonly repository = new MemoryRepository(REPOSITORY, () => this.now);
  readonly issues = new MemoryIssues(REPOSITORY, () => this.now);
  readonly agent: MemoryAgent;

  constructor(plan: () => Plan) {
    this.agent = new MemoryAgent(this.repository, plan);
  }

  /** @param behind how old a copy of the database a read is answered from, in milliseconds */
  perform({ method, url, body }: MemoryRequest, behind = 0): WholeAnswer {
    const given = body === undefined ? {} : (JSON.parse(body) as object);
    this.agent.openDuePulls();
    if (url.origin === SERVICE) {
      const { status, body: told } = this.agent.answer(method, url.pathname, given);
      return answer(status, told);
    }
    const path = url.pathname.replace(`/repos/${REPOSITORY}`, "");
    const query = url.searchParams;
    const date = new Date(this.now).toUTCString();
    const asked = { query, given };
    const found =
      behind > 0 && method === "GET"
        ? this.issues.answerBehind(path, asked, behind)
        : this.issues.answer(method, path, asked);
    if (method !== "GET") this.issues.keep();
    if (found !== undefined) {
      const { status, body: told, link = "" } = found;
      return answer(status, told, { date, ...(link === "" ? {} : { link }) });
    }
    const { status, headers, body: told } = answerFromMemory(this.repository, path, query);
    return answer(status, told, headers);
  }
}

/** A whole answer in JSON. */
export function answer(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): WholeAnswer {
  const type = { "content-type": "application/json; charset=utf-8" };
  return { status, headers: { ...type, ...headers }, text: JSON.stringify(body ?? {}) };
}
