// What a sweep of collect costs: with nothing to do, and with many comments to finish.
import { MemoryServers, REPOSITORY } from "../../emulator/memory/servers.ts";
import { type JobMarker, jobMarkers } from "../../src/github/job-marker.ts";
import { API_KEY, bareScript } from "./action-step.ts";
import { type Line, line, printLines } from "./lines.ts";
import { type Bench, type Side, time, weigh } from "./measure.ts";
import { compareTimes, memoryAction, requestsOf, serving } from "./memory-action.ts";
import type { MemoryServer } from "./memory-server.ts";

/** Bounds: see docs/performance.md. */
const MAX_IDLE_RATIO = 1.6;
const MAX_IDLE_REQUESTS = 2;
const MAX_PAGES = 10;
const MAX_POLLS = 1;
const MAX_WRITES = 3;
/** An invitation is two writes: its comment, and the marker by which it names itself. */
const MAX_WRITES_INVITED = MAX_WRITES + 1;
const MAX_MEMORY = 120;
const MAX_AT_A_TIME = 8;

const COMMENTS = 1_000;
const ENDED = 200;
const RUNNING = 100;
const HOUR = 60 * 60_000;
/** Milliseconds for a poll: polls that are answered at once would never be under way at the same moment. */
const THINKS = 5;

/** Measures all, prints it, and returns whether it stays within the bounds. */
export async function benchCollect(bench: Bench): Promise<boolean> {
  const lines = [
    ...(await idle(bench)),
    ...(await many(bench, false)),
    ...(await many(bench, true)),
  ];
  return printLines(lines);
}

/** Comments of people and of jobs whose end is told. */
async function idle(bench: Bench): Promise<Line[]> {
  const servers = newServers();
  for (let nth = 0; nth < 60; nth++) addComment(servers, nth % 3 === 0 ? { ended: true } : null);
  const measure = async (server: MemoryServer) => {
    const { all } = await requestsOf(action(server, bench), server, bench);
    const script = bareScript("collect", server.address);
    const told = { what: "nothing to do", bound: MAX_IDLE_RATIO };
    return [
      line("nothing to do: requests", all.length, MAX_IDLE_REQUESTS),
      await compareTimes(action(server, bench), script, bench, told),
    ];
  };
  return await serving(servers, bench, measure, THINKS);
}

/** A thousand comments, of which two hundred are to be finished. @param isInviting whether each job has a pull request */
async function many(bench: Bench, isInviting: boolean): Promise<Line[]> {
  const servers = newServers();
  fill(servers, isInviting);
  const before = structuredClone(servers.issues.comments);
  const restore = () => {
    servers.issues.comments = structuredClone(before);
  };
  const measure = async (server: MemoryServer) => {
    const { all: requests, polls: polled } = await requestsOf(action(server, bench), server, bench);
    const told = servers.issues.comments.filter(({ body }) => /^### (✅|❌)/.test(body)).length;
    if (told !== ENDED) throw new Error(`${told} comments were finished`);
    const polls = Map.groupBy(polled, (it) => it);
    const writes = requests.filter((it) => !it.startsWith("GET "));
    const most = server.mostAtATime;
    restore();
    const { wall } = await time(action(server, bench), bench);
    restore();
    const memory = await weigh(action(server, bench), bench);
    const name = `${COMMENTS} comments, ${ENDED} ended jobs${isInviting ? ", all invited" : ""}`;
    const pages = requests.filter((it) => it.includes("/issues/comments?")).length;
    return [
      line(`${name}: pages`, pages, MAX_PAGES),
      line(
        `${name}: polls a job`,
        Math.max(...[...polls.values()].map((it) => it.length)),
        MAX_POLLS,
      ),
      line(`${name}: polls at a time`, most, MAX_AT_A_TIME),
      line(
        `${name}: writes a job`,
        writes.length / ENDED,
        isInviting ? MAX_WRITES_INVITED : MAX_WRITES,
      ),
      line(`${name}: ${wall.toFixed(0)} ms; MiB`, memory, MAX_MEMORY),
    ];
  };
  return await serving(servers, bench, measure, THINKS);
}

function fill(servers: MemoryServers, isInviting: boolean): void {
  for (let nth = 0; nth < COMMENTS; nth++) {
    const isJob = nth < ENDED + RUNNING;
    if (!isJob) {
      addComment(servers, nth % 2 === 0 ? { ended: true } : null);
      continue;
    }
    const isEnded = nth < ENDED;
    const job = `job-${nth}`;
    const pull = isInviting && isEnded ? servers.repository.openPull({ title: job }) : null;
    const endsAt = isEnded ? servers.now - HOUR : servers.now + 100 * HOUR;
    // Its pull request is there already: the agent would open another one for an end of this kind.
    const turn = { prompt: "", at: servers.now - 2 * HOUR, endsAt, outcome: "no-changes" as const };
    servers.agent.jobs.push({ id: job, turns: [turn], pull });
    addComment(servers, { job, ended: false });
  }
}

/** A comment about a job, or of a person. */
function addComment(servers: MemoryServers, told: Partial<JobMarker> | null): void {
  const { issues } = servers;
  const issue = issues.issues[0]?.number ?? 0;
  issues.write(issue, "Please have a look at this. ".repeat(20));
  const comment = issues.comments.at(-1);
  if (told === null || comment === undefined) return;
  const marker: JobMarker = {
    ...{ job: `job-of-${comment.id}`, api: "v2", request: "accepted", ended: false },
    ...{ run: "1001", attempt: 1, step: "docs/docs", asks: "a hash of what is asked" },
    later: {
      ...{ waits: null, requestedAt: servers.now - HOUR, isRequest: true, isByPhrase: true },
      ...{ mayBeOld: false, ifNoChanges: "ignore", notes: [] },
      reaction: { path: `issues/comments/${comment.id}` },
    },
    ...told,
  };
  const place = { repository: REPOSITORY, issue };
  const written = jobMarkers([API_KEY], "docs").write(place, marker, comment.id);
  comment.body = `### ⏳ Docs agent: the agent is working\n\nJob \`${marker.job}\`\n\n${written}`;
}

function newServers(): MemoryServers {
  const servers = new MemoryServers(() => ({ outcome: "no-changes", takes: HOUR }));
  // A sweep asks for what changed in the last days by the machine's clock.
  servers.now = Date.now() - HOUR;
  servers.issues.answer("POST", "/issues", {
    ...{ query: new URLSearchParams(), given: { title: "Docs" } },
  });
  return servers;
}

/** The action as a runner starts it. */
function action(server: MemoryServer, bench: Bench): Side {
  return memoryAction("collect", server, bench, { "trigger-phrase": "/docs" });
}
