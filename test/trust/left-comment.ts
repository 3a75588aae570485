import { type JobMarker, jobMarkers } from "../../src/github/conversation/job-marker.ts";
import { type TestGitHub, WORKFLOW } from "../support/github.ts";
import { API_KEY } from "../support/scenario.ts";

/** What a run by phrase on issue #7 leaves behind that was asked not to wait. */
const MARKER: JobMarker = {
  job: "job_1",
  api: "v2",
  request: "accepted",
  ended: false,
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
  const place = { repository: "octo/docs", issue: 7 };
  const write = (id: number) => jobMarkers([API_KEY], "docs").write(place, MARKER, id);
  const text = "### ⏳ Docs agent: the agent is working";
  await github.addComment(7, (id) => `${text}\n\n${write(id)}`, WORKFLOW);
}
