import type { RunResult } from "../../../emulator/runner/runner.ts";
import type { RecordedRequest } from "../../support/faulty-server.ts";
import type { Cell } from "./cells.ts";

/** What a comment of the action says. */
export type CommentState = "working" | "ended" | "error";

/** How a run ended, as far as people and later steps see it. */
export interface RunEnd {
  /** `green`, `skipped`, or the `errorKind`. */
  end: string;
  status: string;
  jobId: string;
  prLink: string;
  /** Comments on the issue, the oldest first. */
  comments: readonly CommentState[];
  invitations: number;
  /** Requests for work that the service accepted so far, or may have accepted. */
  accepted: number;
}

/** The run of a cell, and what it left behind. */
export interface Seen extends Cell, RunEnd {
  result: RunResult;
  /** The longest that the run may take, in milliseconds. */
  within: number;
  /** How often the cell's request arrived. */
  arrived: number;
  toService: readonly RecordedRequest[];
  toGitHub: readonly RecordedRequest[];
  /** Connections to the host that nothing may be sent to. */
  elsewhere: number;
  /** The texts of all comments that were written, and of all that there are. */
  bodies: readonly string[];
  /** How the same run ends when nothing goes wrong. */
  undisturbed: RunEnd;
  /** How a run after this one ends, without any fault; null: there is none, as a run that succeeded is not repeated. */
  later: RunEnd | null;
}
