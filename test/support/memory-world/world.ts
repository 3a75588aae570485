/** GitHub and the service in memory, and what happens to them: time, troubles, rare habits, names and keys. */

import { GRAPHQL_LIMIT, GRAPHQL_SECONDARY_LIMIT } from "../../../emulator/github/faults.ts";
import type { ReadKind } from "../../../emulator/github/lag.ts";
import { type MergeMethod, mergeabilityOf } from "../../../emulator/github/merge.ts";
import { WORKFLOW } from "../../../emulator/github/people.ts";
import type { Repository } from "../../../emulator/github/repository.ts";
import type { Comment } from "../../../emulator/github/state.ts";
import { LocalGitHub } from "../../../emulator/local-world/local-github.ts";
import type { Plan } from "../../../emulator/local-world/memory-servers.ts";
import { answerV2 } from "../../../emulator/service/agent/routes.ts";
import type { Fault } from "../../../emulator/service/faults.ts";
import { jobMarkers } from "../../../src/github/conversation/job-marker.ts";
import { FaultyServers } from "./faulty-servers.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const PROJECT = "docs";
/** After so many requests that were accepted, jobs end well at once. */
const MOST_PLANNED = 40;

/** More requests than any history makes. */
const MANY = 1_000_000;

export const TROUBLES = [
  ...(["service 400", "service 401", "service 402", "service 409", "service 422"] as const),
  ...(["service 429", "service 500", "service 503", "lost answers", "a firewall"] as const),
  ...(["no Issues", "no issues: write", "no contents: write", "protected refs"] as const),
  "lists of pull requests that are behind",
] as const;

/** Rare habits of the real GitHub: until it is relieved, or for ever. */
export const HABITS = [
  ...(["lists without a last page", "lists by date that stop at an older commit"] as const),
  ...(["GraphQL's hourly limit", "GraphQL's secondary limit"] as const),
  // For ever:
  ...([
    "a pull request that GraphQL cannot resolve",
    "a commit that is too large for a diff",
  ] as const),
  ...(["a locked conversation"] as const),
] as const;

/** What happens to both servers. */
export type ServerEvent =
  /** Only reads of this kind are answered from a copy that is behind. */
  | { kind: "lag"; of: ReadKind; seconds: number }
  | { kind: "habit"; is: (typeof HABITS)[number] }
  | { kind: "pass"; minutes: number }
  | { kind: "trouble"; is: (typeof TROUBLES)[number] }
  | { kind: "relief" | "new key" | "rename" | "transfer" };

/** Words that a firewall refuses: each is in the prompt of one change or task. */
const REFUSED_WORDS = ["Task t2.", "pages/p3.md", "/pull/2\\n", "/pull/5\\n"];

export class World {
  readonly servers: FaultyServers;
  /** What people do on GitHub. */
  readonly people: LocalGitHub;
  /** Sentences: what was found wrong. */
  readonly wrong: string[] = [];
  /** Troubles that somebody is in. */
  readonly troubles = new Set<string>();
  /** Whether lists of pull requests have ever been behind. */
  wasBehind = false;
  /** How often the API key was rotated. */
  #keys = 0;

  /** @param plans what comes of each request that the service accepts, over and over */
  constructor(plans: readonly Plan[]) {
    let nth = -1;
    this.servers = new FaultyServers(() => {
      nth += 1;
      const plan = plans[nth % plans.length];
      return nth < MOST_PLANNED && plan !== undefined ? plan : { outcome: "completed", takes: 0 };
    });
    this.people = new LocalGitHub(this.servers.github, this.home);
  }

  get home(): Repository {
    return this.servers.repository;
  }

  /** The API key. */
  get key(): string {
    return `mint_test_${this.#keys}`;
  }

  /** The API key before it was last rotated. */
  get previousKey(): string {
    return `mint_test_${this.#keys - 1}`;
  }

  /** Lets an event happen. @returns false: it is about something else */
  apply(event: { kind: string }): boolean {
    const it = event as ServerEvent;
    switch (it.kind) {
      case "pass":
        this.servers.now += it.minutes * MINUTE;
        return true;
      case "new key":
        this.#keys += 1;
        return true;
      case "trouble":
        this.#trouble(it.is);
        return true;
      case "relief":
        this.relieve();
        return true;
      case "rename":
        this.#rename(({ owner }) => owner);
        return true;
      case "transfer":
        this.#rename(({ formerNames }) => `owner-${formerNames.length + 1}`);
        return true;
      case "lag": {
        const { github } = this.servers;
        this.troubles.add("lag");
        // Pull requests, too.
        this.wasBehind = true;
        github.lag = { ...github.lag, [it.of]: it.seconds * SECOND };
        return true;
      }
      case "habit":
        this.#turnOn(it.is);
        return true;
      default:
        return false;
    }
  }

  /** Ends every trouble. */
  relieve(): void {
    this.troubles.clear();
    const { github } = this.servers;
    this.servers.refusal = null;
    this.servers.agent.service.state.faults.splice(0);
    this.home.hasIssues = true;
    this.home.protectedRefs = "";
    github.restrict(WORKFLOW, {});
    github.lag = {};
    github.clearFaults();
    github.site.pullListBehind = 0;
    github.site.switches.hasNoLastPage = false;
  }

  /** The agent starts to work on a prompt that no run sent. @returns the job's ID */
  startJob(prompt: string): string {
    const path = `/v2/agent/${PROJECT}/job`;
    const { body } = answerV2(this.servers.agent.service, "POST", path, prompt);
    return String((body as { id: unknown }).id);
  }

  /** Writes the status comment of a job that somebody asked for by comment. @param known the repository's ID, or nothing */
  postStatus(job: string, issue: number, known: { repositoryId?: number }): Comment {
    const place = { repository: this.home.fullName, ...known, issue };
    const comment = this.home.comment({ number: issue }, "", WORKFLOW);
    const step = { run: "1", attempt: 1, step: "docs", asks: "hash" };
    const marker = { job, api: "v2", request: "accepted" as const, ended: null, ...step };
    this.home.setComment(comment, jobMarkers([this.key], PROJECT).write(place, marker, comment.id));
    return comment;
  }

  /** A person decides about the first of the agent's pull requests that can be. What cannot be merged is closed. */
  decideDocs(is: "merged" | "closed" | "reopened", method?: MergeMethod): void {
    const { home } = this;
    const from = is === "reopened" ? "closed" : "open";
    const { pulls } = this.servers.agent;
    const pull = pulls.find(({ state, mergedAt }) => state === from && mergedAt === null);
    if (pull === undefined) return;
    const isClean = mergeabilityOf(home, pull).state === "clean";
    if (is === "reopened") home.setState(pull, "open", "maintainer");
    else if (is === "merged" && isClean) home.merge(pull, method);
    else home.close(pull);
  }

  #trouble(is: (typeof TROUBLES)[number]): void {
    const { github } = this.servers;
    this.troubles.add(is);
    const [, status] = /^service (\d+)$/.exec(is) ?? [];
    if (status !== undefined) this.servers.refusal = Number(status);
    if (is === "lost answers") this.#refuse([""], { status: 502, isAfter: true });
    if (is === "a firewall") this.#refuse(REFUSED_WORDS, { status: 403, body: "<p>Blocked</p>" });
    if (is === "no Issues") this.home.hasIssues = false;
    if (is === "protected refs") this.home.protectedRefs = "^refs/docs-agent/";
    if (is === "lists of pull requests that are behind") {
      this.wasBehind = true;
      github.site.pullListBehind = 3 * HOUR;
    }
    if (is === "no issues: write") github.restrict(WORKFLOW, { issues: "read" });
    if (is === "no contents: write") github.restrict(WORKFLOW, { contents: "read" });
  }

  /** @param words a prompt with any of these is answered so */
  #refuse(words: readonly string[], fault: Omit<Fault, "route">): void {
    const { faults } = this.servers.agent.service.state;
    for (const route of ["v2-create", "v2-message"] as const) {
      faults.push(...words.map((it) => ({ ...fault, route, words: it, times: MANY })));
    }
  }

  #turnOn(is: (typeof HABITS)[number]): void {
    const { home } = this;
    const { github } = this.servers;
    const merged = home.pulls.findLast(({ mergedAt }) => mergedAt !== null);
    // Runs may fail by its limits.
    if (is.startsWith("GraphQL's")) this.troubles.add("habit");
    if (is === "lists without a last page") github.site.switches.hasNoLastPage = true;
    if (is === "lists by date that stop at an older commit") {
      github.site.switches.isSinceLikeGit = true;
    }
    if (is === "GraphQL's hourly limit") github.addFault({ ...GRAPHQL_LIMIT, times: 3 });
    if (is === "GraphQL's secondary limit") {
      github.addFault({ ...GRAPHQL_SECONDARY_LIMIT, times: 3 });
    }
    if (is === "a commit that is too large for a diff") home.switches.huge.add(home.tip());
    if (merged === undefined) return;
    if (is === "a pull request that GraphQL cannot resolve") {
      home.switches.unresolvable.add(merged.number);
    }
    if (is === "a locked conversation") home.change(merged, { isLocked: true });
  }

  /** @param ownerOf the owner of each repository afterwards */
  #rename(ownerOf: (repository: Repository) => string): void {
    const { repositories, site } = this.servers.github;
    for (const it of repositories) {
      it.rename(`${ownerOf(it)}/r${it.id}-${it.formerNames.length + 1}`);
      site.account(it.owner, "Organization");
    }
    for (const project of this.servers.agent.service.state.projects) {
      project.repository = this.home.fullName;
    }
  }
}
