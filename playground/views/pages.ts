/** The pages by their paths, from the current state of GitHub, the service and the runs. */

import { AGENT } from "../../emulator/github/people.ts";
import type { LocalWorld } from "../../emulator/local-world/index.ts";
import type { LocalJob } from "../../emulator/local-world/local-service.ts";
import type { WorkflowRuns } from "../actions/workflow-runs.ts";
import { ANSWERING, TEAM } from "../site/acts.ts";
import { keeperOf, type SiteReader } from "../site/reader.ts";
import { bodyHash, TASKS_FILE } from "../site/tasks.ts";
import { formBox, plain, runForm } from "./bits.ts";
import { type Html, html, type Part } from "./html.ts";
import { jobParts, jobsAside } from "./jobs.ts";
import { issuesParts, pullsParts } from "./lists.ts";
import type { MarkdownOptions } from "./markdown.ts";
import { overviewParts } from "./overview.ts";
import type { Page } from "./page.ts";
import { commitParts, gateBar } from "./pull.ts";
import { runParts, runsAside, runsParts } from "./runs.ts";
import { storyPart, teamBar } from "./story.ts";
import { commentForm, type Draft, threadParts } from "./thread.ts";
import { workflowsPart } from "./workflow.ts";

/** The sources of what pages show. */
export interface Sources {
  world: LocalWorld;
  site: SiteReader;
  runs: WorkflowRuns;
}

const NO_DRAFT: Draft = { text: "", workflow: "" };

/** The page at a path; undefined if there is none. @param draft what the comment box begins with */
export async function pageAt(
  path: string,
  sources: Sources,
  draft = NO_DRAFT,
): Promise<Page | undefined> {
  const { world, runs, site } = sources;
  const jobs = await world.service.jobs();
  const page = await contentAt(path, sources, jobs, draft);
  const aside = [
    ...(page?.tab === "/actions" ? [] : runsAside(runs.list(), optionsOf(sources))),
    ...(page?.tab === "/jobs" ? [] : jobsAside(jobs, site)),
  ];
  return page && { ...page, aside };
}

type Content = Omit<Page, "aside">;

/** Of the lists, by their tabs. */
const TOPS = {
  "": html`This is a GitHub and a documentation service on your machine. The workflows of <code>examples/</code> run here as they would in a repository. No account, no key.`,
  "/pulls": html`Upkeep keeps the documentation in step with the code. Merge a change or two, at the end of this page, and run upkeep.`,
  "/jobs": html`What the emulated documentation service was asked, newest first. Its agent works for four seconds, and opens real pull requests on the emulated GitHub.`,
  tasks: html`The queue works through the tasks in this file, each once. A commit starts <code>examples/queue.yml</code>.`,
};

async function contentAt(
  path: string,
  sources: Sources,
  jobs: readonly LocalJob[],
  draft: Draft,
): Promise<Content | undefined> {
  const { site, runs, world } = sources;
  const { repository } = world.github;
  if (path === "/jobs")
    return {
      title: "Agent jobs",
      tab: path,
      lead: TOPS[path],
      main: jobParts(jobs, site, repository),
    };
  if (path !== `/${repository}` && !path.startsWith(`/${repository}/`)) return undefined;
  const tab = path.slice(repository.length + 1);
  switch (tab) {
    case "": {
      return { title: "Overview", tab, lead: TOPS[tab], main: await overview(sources) };
    }
    case "/issues": {
      const main = issuesParts(await site.issues(), repository);
      main.push(workflowsPart(runs.usedBy(RUN_BY.issues)));
      return { title: "Issues", tab, lead: undefined, main };
    }
    case "/pulls": {
      const pulls = await site.pulls();
      const main = pullsParts(pulls, await site.docsPulls(pulls), repository);
      main.push(workflowsPart(runs.usedBy(RUN_BY.pulls)));
      return { title: "Pull requests", tab, lead: TOPS[tab], main };
    }
    case "/actions":
      return {
        title: "Workflow runs",
        tab,
        lead: undefined,
        main: runsParts(runs.list(), repository),
      };
    case `/blob/main/${TASKS_FILE}`:
      return { title: TASKS_FILE, tab: "", lead: TOPS.tasks, main: await tasksParts(sources) };
  }
  const [, sha] = /^\/commit\/([\da-f]{7,40})$/.exec(tab) ?? [];
  if (sha !== undefined) return commitPage(sha, sources);
  const [, kind, id] =
    /^\/(issues|pull|actions\/runs)\/(\d{1,9})(?:\/attempts\/\d+)?$/.exec(tab) ?? [];
  if (kind === undefined) return undefined;
  const number = Number(id);
  return kind === "actions/runs" ? runPage(number, sources) : threadPage(number, sources, draft);
}

async function overview({ site, runs, world }: Sources): Promise<Part[]> {
  const { repository } = world.github;
  const pulls = await site.pulls();
  const byPeople = pulls.filter(({ user }) => user.login !== AGENT);
  const [code] = byPeople;
  const [docs] = await site.docsPulls(pulls);
  const reached = {
    merged: byPeople.find(({ merged_at }) => typeof merged_at === "string"),
    docs,
    code: code && (await site.factsOf(code.number)),
  };
  const story = runs
    .usedBy([TEAM])
    .map((team) => storyPart(team, reached, runs.list(), repository));
  const actions = overviewParts(runs.workflows, runs.list(), await site.issues(), repository);
  return [...story, ...actions];
}

/** The actions whose workflows a page runs, by the page or the kind of the thread. */
const RUN_BY = {
  issues: [".", "assistant"],
  pulls: ["upkeep", "gate", "deploy"],
  issue: [...ANSWERING, "collect", "assistant"],
  code: ["gate", "deploy", TEAM],
  docs: [TEAM, "land"],
  upkeep: ["upkeep"],
  queue: ["queue"],
};

/** By the kind of the thread. */
const LEADS = {
  issue: html`Ask for documentation in a comment, at the end of this page. The workflow runs the action, which answers here.`,
  code: html`A pull request with code. The gate (<code>examples/gate.yml</code>) checks that it is documented: set a label, push, approve it or ask with <code>/docs</code>, and see what its status and its comment say then.`,
  docs: html`A pull request that the agent opened: <code>/docs</code> goes on with the same job; let a check fail, or ask for changes, and run land to send that to the agent.`,
  ended: html`A pull request that the agent opened. It is no longer open, so <code>/docs</code> begins a new job.`,
  upkeep: html`The dashboard of upkeep. Ticking a box hands that change over again, at once.`,
  queue: html`The dashboard of the queue, which works through <code>${TASKS_FILE}</code>. Ticking a box hands that task over again, at once.`,
};

async function threadPage(
  number: number,
  sources: Sources,
  draft: Draft,
): Promise<Content | undefined> {
  const { site, world, runs } = sources;
  const { repository } = world.github;
  const thread = await site.thread(number);
  if (thread === undefined) return undefined;
  const { issue, facts } = thread;
  const isDocs = issue.user.login === AGENT;
  const keeper = keeperOf(issue) as "upkeep" | "queue" | undefined;
  const kind = facts === undefined ? (keeper ?? "issue") : isDocs ? "docs" : "code";
  const bars: Record<string, Html> = {
    code: gateBar(number, repository),
    docs: html`${teamBar(repository)}${runForm(repository, "land")}`,
    ...(keeper && { [keeper]: runForm(repository, keeper) }),
  };
  const bar = bars[kind];
  const options = optionsOf(sources);
  const [heading, ...rest] = threadParts(thread, options) as [Part, ...Part[]];
  return {
    title: `${plain(issue.title)} · #${number}`,
    tab: facts === undefined ? "/issues" : "/pulls",
    lead: kind === "docs" && issue.state !== "open" ? LEADS.ended : LEADS[kind],
    main: [
      heading,
      ...(bar && issue.state === "open" ? [{ key: "bar", content: bar }] : []),
      ...rest,
      { key: "comment", content: commentForm(number, options, draft) },
      workflowsPart(runs.usedBy(RUN_BY[kind])),
    ],
  };
}

async function tasksParts({ site, world, runs }: Sources): Promise<Part[]> {
  const { repository } = world.github;
  const text = await site.tasks();
  const fields = html`<input type="hidden" name="seen" value="${bodyHash(text)}">
<textarea name="text" rows="14" spellcheck="false" aria-label="${TASKS_FILE}" class="code">\n${text}</textarea>
<p class="hint">A line <code>emulate: outcome=failed</code> or <code>outcome=no-changes</code> in a prompt steers the emulated agent; <code>answer=422</code>, <code>firewall</code>, <code>credits</code> or <code>lost</code> is what the request is answered with.</p>`;
  const button = html`<button class="primary">Commit to main</button>`;
  const form = formBox(TASKS_FILE, `/${repository}/tasks`, fields, button);
  return [
    { key: "title", content: html`<h1>Tasks of the queue</h1>` },
    { key: "bar", content: runForm(repository, "queue") },
    { key: "tasks", content: form },
    workflowsPart(runs.usedBy(RUN_BY.queue)),
  ];
}

async function runPage(id: number, sources: Sources): Promise<Content | undefined> {
  const run = sources.runs.find(id);
  if (run === undefined) return undefined;
  const { comment } = run.event.payload;
  const reactions = comment ? await sources.site.reactionsTo(`comments/${comment.id}`) : {};
  const main = runParts(run, optionsOf(sources), reactions);
  return { title: run.workflow.name, tab: "/actions", lead: undefined, main };
}

async function commitPage(sha: string, { site }: Sources): Promise<Content | undefined> {
  const commit = await site.commit(sha);
  if (commit === undefined) return undefined;
  const title = `Commit ${sha.slice(0, 7)}`;
  return { title, tab: "/pulls", lead: undefined, main: commitParts(commit) };
}

function optionsOf({ world }: Sources): MarkdownOptions {
  return { repository: world.github.repository, origin: world.github.url };
}
