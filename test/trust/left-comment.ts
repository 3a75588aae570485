import { WORKFLOW } from "../../emulator/github/people.ts";
import { ADMIN_KEY, PROJECT_ID } from "../../emulator/service/state.ts";
import { type JobMarker, jobMarkers } from "../../src/github/conversation/job-marker.ts";
import { schedule } from "../support/events.ts";
import { addComment } from "../support/world/comments.ts";
import { WITH_JOB } from "../support/world/jobs.ts";
import { startWorld, type World } from "../support/world/world.ts";

/** What a run by phrase on issue #7 leaves behind that was asked not to wait. */
const MARKER: JobMarker = {
  job: "job_1",
  api: "v2",
  request: "accepted",
  ended: null,
  run: "1001",
  attempt: 1,
  step: "write-docs/docs",
  asks: "a hash",
  later: {
    waits: null,
    isByPhrase: true,
    mayBeOld: false,
    doubt: null,
    ifNoChanges: "ignore",
    notes: [],
    reaction: { path: "issues/7" },
  },
};

/** Puts the comment on issue #7 that a sweep is to finish. */
export async function addLeftComment(world: World): Promise<void> {
  leave(world, MARKER);
}

let earlierMarker: Promise<JobMarker> | undefined;

/** Puts the comment on issue #7 that an earlier run would have left there at its beginning. */
export async function addEarlierComment(world: World): Promise<void> {
  earlierMarker ??= readEarlierMarker();
  leave(world, await earlierMarker);
}

function leave(world: World, marker: JobMarker): void {
  const place = { repository: "octo/docs", issue: 7 };
  const write = (id: number) => jobMarkers([ADMIN_KEY], PROJECT_ID).write(place, marker, id);
  const text = "### ⏳ Docs agent: the agent is working";
  addComment(world, 7, (id) => `${text}\n\n${write(id)}`, WORKFLOW);
}

/** What an earlier run remembers while its job is at work. */
async function readEarlierMarker(): Promise<JobMarker> {
  await using world = await startWorld(WITH_JOB);
  await world.run("root", { ...schedule, inputs: { "issue-number": "7" } });
  const [, payload = ""] = /docs-agent:([\w-]+)/.exec(world.bodies[0] ?? "") ?? [];
  return JSON.parse(Buffer.from(payload, "base64url").toString()) as JobMarker;
}
