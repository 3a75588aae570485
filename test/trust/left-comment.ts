import { type JobMarker, jobMarkers } from "../../src/github/conversation/job-marker.ts";
import { schedule } from "../support/events.ts";
import { type TestGitHub, WORKFLOW } from "../support/github.ts";
import { API_KEY, startScenario } from "../support/scenario.ts";

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
    ifNoChanges: "ignore",
    notes: [],
    reaction: { path: "issues/7" },
  },
};

/** Puts the comment on issue #7 that a sweep is to finish. */
export async function addLeftComment(github: TestGitHub): Promise<void> {
  await addComment(github, MARKER);
}

let earlierMarker: Promise<JobMarker> | undefined;

/** Puts the comment on issue #7 that an earlier run would have left there at its beginning. */
export async function addEarlierComment(github: TestGitHub): Promise<void> {
  earlierMarker ??= readEarlierMarker();
  await addComment(github, await earlierMarker);
}

async function addComment(github: TestGitHub, marker: JobMarker): Promise<void> {
  const place = { repository: "octo/docs", issue: 7 };
  const write = (id: number) => jobMarkers([API_KEY], "docs").write(place, marker, id);
  const text = "### ⏳ Docs agent: the agent is working";
  await github.addComment(7, (id) => `${text}\n\n${write(id)}`, WORKFLOW);
}

/** What an earlier run remembers while its job is at work. */
async function readEarlierMarker(): Promise<JobMarker> {
  await using scenario = await startScenario();
  await scenario.run({ ...schedule, inputs: { "issue-number": "7" } });
  const [, payload = ""] = /docs-agent:([\w-]+)/.exec(scenario.github.bodies[0] ?? "") ?? [];
  return JSON.parse(Buffer.from(payload, "base64url").toString()) as JobMarker;
}
