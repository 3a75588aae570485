/** GitHub and the service in memory, and what happens to them: time, troubles, habits, names and keys. */

import { type MergeMethod, mergeabilityOf } from "../../../emulator/github/merge.ts";
import { WORKFLOW } from "../../../emulator/github/people.ts";
import type { Repository } from "../../../emulator/github/repository.ts";
import type { Comment } from "../../../emulator/github/state.ts";
import { LocalGitHub } from "../../../emulator/local-world/local-github.ts";
import type { Plan } from "../../../emulator/local-world/memory-servers.ts";
import { answerV2 } from "../../../emulator/service/agent/routes.ts";
import { jobMarkers } from "../../../src/github/conversation/job-marker.ts";
import { FaultyServers } from "./faulty-servers.ts";
import { type Habit, isTrouble, relieve, turnOn } from "./habits.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const PROJECT = "docs";
/** After so many requests that were accepted, jobs end well at once. */
const MOST_PLANNED = 40;

export const TROUBLES = [
  ...(["service 400", "service 401", "service 429", "service 500", "service 503"] as const),
  ...(["no Issues", "no issues: write", "no contents: write", "protected refs"] as const),
  "lists of pull requests that are behind",
] as const;

/** What happens to both servers. */
export type ServerEvent =
  | Habit
  | { kind: "pass"; minutes: number }
  | { kind: "trouble"; is: (typeof TROUBLES)[number] }
  | { kind: "relief" | "new key" | "rename" | "transfer" };

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
      default:
        return this.#turnOn(event);
    }
  }

  /** Ends every trouble. */
  relieve(): void {
    this.troubles.clear();
    this.servers.refusal = null;
    this.home.hasIssues = true;
    this.home.protectedRefs = "";
    this.servers.github.restrict(WORKFLOW, {});
    this.servers.github.site.pullListBehind = 0;
    relieve(this.servers.github);
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
    const marker = { job, api: "v2", request: "accepted" as const, ended: false, ...step };
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
    if (is === "no Issues") this.home.hasIssues = false;
    if (is === "protected refs") this.home.protectedRefs = "^refs/docs-agent/";
    if (is === "lists of pull requests that are behind") {
      this.wasBehind = true;
      github.site.pullListBehind = 3 * HOUR;
    }
    if (is === "no issues: write") github.restrict(WORKFLOW, { issues: "read" });
    if (is === "no contents: write") github.restrict(WORKFLOW, { contents: "read" });
  }

  #turnOn(event: { kind: string }): boolean {
    if (isTrouble(event)) this.troubles.add(event.kind);
    // Pull requests, too.
    if (event.kind === "lag") this.wasBehind = true;
    return turnOn(this.servers.github, this.home, event);
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
