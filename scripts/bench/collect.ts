// Measures a sweep of collect: with nothing to do, and with many comments to finish.
import { WORKFLOW } from "../../emulator/github/people.ts";
import { MemoryServers, REPOSITORY } from "../../emulator/local-world/memory-servers.ts";
import { DEFAULT_STEERING, type Steering } from "../../emulator/service/agent/steering.ts";
import { finishedJob } from "../../emulator/service/state.ts";
import { type JobMarker, jobMarkers } from "../../src/github/conversation/job-marker.ts";
import { API_KEY, actionStep, compare, type Row, type Side, time } from "./measure.ts";
import { type BenchServer, serveMemory } from "./servers.ts";

const COMMENTS = 1_000;
const ENDED = 200;
const RUNNING = 100;
const HOUR = 60 * 60_000;
/** Milliseconds for a poll. Without a delay, no two polls would overlap. */
const THINKS = 5;
const COMPLETED = { ended: "completed" } as const;

export async function benchCollect(runs: number): Promise<Row[]> {
  return [...(await idle(runs)), ...(await many())];
}

/** Comments of people, and of jobs whose end is already reported. */
async function idle(runs: number): Promise<Row[]> {
  const servers = newServers();
  for (let nth = 0; nth < 60; nth++) addComment(servers, nth % 3 === 0 ? COMPLETED : null);
  using server = await serveMemory(servers, THINKS);
  const bounds = { time: 1.6, toGitHub: 2, toService: 0 };
  return await compare("nothing to do", action(server), runs, bounds);
}

/** A thousand comments, two hundred of them to be finished. */
async function many(): Promise<Row[]> {
  const name = `${COMMENTS} comments, ${ENDED} ended jobs`;
  const servers = newServers();
  fill(servers);
  using server = await serveMemory(servers, THINKS);
  const { toGitHub, toService, mostAtATime, wall, memory } = await time(action(server));
  const comments = [...servers.repository.comments.values()];
  const finished = comments.filter(({ body }) => /^### (✅|❌)/.test(body)).length;
  if (finished !== ENDED) throw new Error(`${finished} comments were finished`);
  const polls = [...Map.groupBy(toService, (request) => request).values()];
  const mostPolls = Math.max(...polls.map(({ length }) => length));
  const writes = toGitHub.filter((request) => !request.startsWith("GET ")).length;
  const pages = toGitHub.filter((request) => request.includes("/issues/comments?")).length;
  return [
    [`${name}: pages of comments`, pages, "requests", 10],
    [`${name}: polls of a job, at most`, mostPolls, "requests", 1],
    [`${name}: polls at a time, at most`, mostAtATime, "requests", 8],
    [`${name}: writes for a job`, writes / ENDED, "requests", 3],
    [`${name}: time`, wall, "ms"],
    [`${name}: peak memory`, memory, "MiB", 120],
  ];
}

function fill(servers: MemoryServers): void {
  for (let nth = 0; nth < COMMENTS; nth++) {
    if (nth >= ENDED + RUNNING) {
      addComment(servers, nth % 2 === 0 ? COMPLETED : null);
      continue;
    }
    const job = `job-${nth}`;
    const durationMs = nth < ENDED ? HOUR : 100 * HOUR;
    const createdAt = servers.now - 2 * HOUR;
    const steering: Steering = { ...DEFAULT_STEERING, durationMs, outcome: "no-changes" };
    const turns = [{ prompt: "", startedAt: createdAt, outcome: null, steering }];
    const record = finishedJob({ id: job, projectId: "docs", createdAt, prLink: null, turns });
    servers.agent.service.state.jobs.push(record);
    addComment(servers, { job, ended: null });
  }
}

/** Adds a comment. @param job fields of the marker; null for a comment of a person */
function addComment(servers: MemoryServers, job: Partial<JobMarker> | null): void {
  const issue = 1;
  const text = "Please have a look at this. ".repeat(20);
  const comment = servers.repository.comment({ number: issue }, text, WORKFLOW);
  if (job === null) return;
  const marker: JobMarker = {
    job: `job-of-${comment.id}`,
    api: "v2",
    request: "accepted",
    ended: null,
    run: "1001",
    attempt: 1,
    step: "docs/docs",
    asks: "a hash of what is asked",
    later: {
      waits: null,
      isByPhrase: true,
      mayBeOld: false,
      doubt: null,
      ifNoChanges: "ignore",
      notes: [],
      reaction: { path: `issues/comments/${comment.id}` },
    },
    ...job,
  };
  const place = { repository: REPOSITORY, issue };
  const written = jobMarkers([API_KEY], "docs").write(place, marker, comment.id);
  const body = `### ⏳ Docs agent: the agent is working\n\nJob \`${marker.job}\`\n\n${written}`;
  servers.repository.setComment(comment, body);
}

function newServers(): MemoryServers {
  const servers = new MemoryServers(() => ({ outcome: "no-changes", takes: HOUR }));
  // A sweep reads the comments of the last days by the machine's clock.
  servers.now = Date.now() - HOUR;
  servers.repository.openIssue({ title: "Docs" });
  return servers;
}

function action(server: BenchServer): Side {
  return actionStep("collect", server, { "trigger-phrase": "/docs" });
}
