import type { ActionError } from "../runtime/errors.ts";
import type { Job } from "../service/agent.ts";
import type { Known } from "./poll.ts";
import type { RequestState } from "./request-state.ts";

/** How a run came out; what that means for the step is decided in `step-result.ts`. */
export type Outcome =
  /** The job is at its end. */
  | { type: "ended"; id: string; job: Job }
  /** The job was not seen to end, and this run was told not to wait. */
  | { type: "not-waited"; id: string; job: Job | null; known: Known }
  | { type: "timed-out"; id: string; job: Job | null; known: Known; timeout: number }
  | { type: "cancelled"; id: string; job: Job | null; request: RequestState }
  | { type: "error"; id: string; job: Job | null; request: RequestState; error: ActionError };

/** What became of the run's request: every other outcome is that of a job that took it. */
export function requestOf(outcome: Outcome): RequestState {
  return "request" in outcome ? outcome.request : "accepted";
}
