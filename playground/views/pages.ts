/** The pages by their paths, from what GitHub, the service and the runs are at this moment. */

import { AGENT } from "../../emulator/github/people.ts";
import type { LocalWorld } from "../../emulator/local-world/index.ts";
import type { LocalJob } from "../../emulator/local-world/local-service.ts";
import type { WorkflowRuns } from "../actions/workflow-runs.ts";
import type { SiteReader } from "../site/reader.ts";
import { html, type Part } from "./html.ts";
import { jobParts, jobsAside } from "./jobs.ts";
import type { Page } from "./page.ts";
import { gateBar, pullForms } from "./pull.ts";
import { repositoryForms, repositoryParts, runBar } from "./repository.ts";
import { runParts, runsAside } from "./runs.ts";
import { commentForm, threadParts } from "./thread.ts";

/** Where pages take what they show. */
export interface Sources {
  world: LocalWorld;
  site: SiteReader;
  runs: WorkflowRuns;
}

/** The page of a path; undefined: there is none. */
export async function pageAt(path: string, sources: Sources): Promise<Page | undefined> {
  const { world, runs } = sources;
  const { url } = world.github;
  const jobs = await world.service.jobs();
  const page = path === "/jobs" ? jobsPage(jobs, url) : await contentAt(path, sources);
  const aside = [
    ...runsAside(runs.list(), optionsOf(sources)),
    ...(path === "/jobs" ? [] : jobsAside(jobs, url)),
  ];
  return page && { ...page, aside };
}

type Content = Omit<Page, "aside">;

async function contentAt(path: string, sources: Sources): Promise<Content | undefined> {
  const { repository } = sources.world.github;
  if (path === "/dashboard") return dashboardPage(sources);
  if (path === `/${repository}`) return repositoryPage(sources);
  if (!path.startsWith(`/${repository}/`)) return undefined;
  const [, kind = "", id = ""] =
    /^\/(issues|pull|actions\/runs)\/(\d{1,9})(?:\/attempts\/\d+)?$/.exec(
      path.slice(repository.length + 1),
    ) ?? [];
  if (kind === "") return undefined;
  return kind === "actions/runs" ? runPage(Number(id), sources) : threadPage(Number(id), sources);
}

/** By the kind of the thread. */
const LEADS = {
  issue: html`Ask for documentation in a comment. The workflow <code>examples/ask-by-comment.yml</code> runs the action, which answers below.`,
  code: html`A pull request with code. The gate (<code>examples/gate.yml</code>) checks that it is documented: set a label, push, approve it or ask with <code>/docs</code>, and see what its check and its comment say then.`,
  docs: html`A pull request that the agent opened: <code>/docs</code> goes on with the same job; let a check fail, or ask for changes, and run land to send that to the agent.`,
  dashboard: html`The <a href="/dashboard">dashboard</a> with its comments. The ledger that it is made from is in git.`,
};

async function threadPage(number: number, sources: Sources): Promise<Content | undefined> {
  const { site, world } = sources;
  const { repository } = world.github;
  const [thread, dashboard] = await Promise.all([site.thread(number), site.dashboard()]);
  if (thread === undefined) return undefined;
  const { issue, facts, files } = thread;
  const pull = issue.user.login === AGENT ? "docs" : "code";
  const kind = number === dashboard ? "dashboard" : facts === undefined ? "issue" : pull;
  const isOpen = facts?.pull.state === "open";
  const bar = kind === "docs" ? runBar(repository, "land") : gateBar(number, repository);
  const comment = commentForm(number, optionsOf(sources));
  return {
    title: `${issue.title} #${number}`,
    tab: kind === "code" || kind === "docs" ? "repository" : kind,
    lead: LEADS[kind],
    ...(isOpen && { before: bar }),
    main: threadParts(thread, optionsOf(sources)),
    after: html`${isOpen && pullForms(facts.pull, files, repository)}${comment}`,
  };
}

async function dashboardPage(sources: Sources): Promise<Content> {
  const { world, site } = sources;
  const number = await site.dashboard();
  const thread = number === undefined ? undefined : await site.thread(number);
  const none = html`<h1>Docs upkeep</h1><p class="empty">There is no dashboard yet: the first run of upkeep opens it. <a href="/${world.github.repository}">Merge a change</a> first, so that it has something to hand over.</p>`;
  const opening = thread && { ...thread, posts: thread.posts.slice(0, 1) };
  return {
    title: "Upkeep dashboard",
    tab: "dashboard",
    lead: html`The issue that upkeep keeps. Ticking a box hands that change over again, at once.`,
    before: runBar(world.github.repository, "upkeep"),
    main: opening
      ? [...threadParts(opening, optionsOf(sources)), wholeIssue(opening.issue.number, sources)]
      : [{ key: "none", content: none }],
  };
}

function wholeIssue(number: number, { world }: Sources): Part {
  const path = `/${world.github.repository}/issues/${number}`;
  return {
    key: "whole",
    content: html`<p class="hint">Its comments are on <a href="${path}">issue #${number}</a>. The ledger that it is made from is in git.</p>`,
  };
}

async function repositoryPage(sources: Sources): Promise<Content> {
  const { world, site } = sources;
  const { repository } = world.github;
  const [pulls, issues] = await Promise.all([site.pulls(), site.issues()]);
  const docs = await site.docsPulls(pulls);
  return {
    title: "Merge changes",
    tab: "repository",
    lead: html`Upkeep keeps the documentation in step with the code. Merge a change or two, run upkeep, and look at the <a href="/dashboard">dashboard</a>.`,
    before: repositoryForms(repository, pulls.length),
    main: repositoryParts(pulls, docs, issues, repository),
  };
}

function jobsPage(jobs: readonly LocalJob[], origin: string): Content {
  return {
    title: "Agent jobs",
    tab: "jobs",
    lead: html`What the emulated documentation service was asked, newest first. Its agent works for four seconds, and opens real pull requests on the emulated GitHub.`,
    main: jobParts(jobs, origin),
  };
}

function runPage(id: number, sources: Sources): Content | undefined {
  const run = sources.runs.find(id);
  const page = { title: `Run ${id}`, tab: "" as const, lead: undefined };
  return run && { ...page, main: runParts(run, optionsOf(sources)) };
}

function optionsOf({ world }: Sources): { repository: string; origin: string } {
  return { repository: world.github.repository, origin: world.github.url };
}
