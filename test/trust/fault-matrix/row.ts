import type { RunOptions } from "../../../emulator/runner/runner.ts";
import type { Answer, FaultyServer } from "../../support/faulty-server.ts";
import type { TestGitHub } from "../../support/github.ts";

/** What a request is for: the design has a rule for each. */
export type Purpose =
  | "create"
  /** Version 1 names the job in the headers of a stream. */
  | "create-v1"
  /** The list of jobs, to find one whose ID is not known. */
  | "list-jobs"
  | "question"
  /** A follow-up to a job that an input names. */
  | "message"
  /** A follow-up to the job of a conversation: a new one, should that job not take it. */
  | "continue"
  /** A poll of a job that this run created. */
  | "poll"
  /** A poll of a job that was there before. */
  | "poll-taken-up"
  /** A poll of such a job, by a run that has more time than the service has for getting well. */
  | "poll-patiently"
  /** A request that starts a build, which a second one replaces. */
  | "build-start"
  | "build-poll"
  /** The deployment on GitHub, and its statuses. */
  | "deployment"
  | "deployment-status"
  /** The one comment about previews. */
  | "deploy-comment"
  | "permission"
  /** The comments, to find the job that an earlier attempt left behind. */
  | "find-comment"
  | "create-comment"
  | "edit-comment"
  | "reaction"
  | "changed-files"
  /** The comments of a pull request, before people are invited there. */
  | "find-invitation"
  | "invitation"
  /** The requests of a sweep, in their order. */
  | "collect-list"
  | "collect-poll"
  | "collect-find-invitation"
  | "collect-invitation"
  | "collect-reaction"
  | "collect-read"
  | "collect-edit";

/** The servers and options of a run in which one request meets a fault. */
export interface CellSetup extends AsyncDisposable {
  service: FaultyServer;
  github: TestGitHub;
  /** A host that nothing may ever arrive at. */
  other: FaultyServer;
  /** What the run is given. */
  options: RunOptions;
  /** To be called with each line of the log. */
  onLine: (line: string) => void;
  /** How often the fault was the answer to a request. */
  struck: number;
  /** Ends the fault. */
  heal(): Promise<void>;
}

/** How often a fault strikes. */
export type Times = "once" | "for good";

/** A request that an action makes, and a run in which it is made. */
export interface Row {
  name: string;
  host: "service" | "github";
  purpose: Purpose;
  /** `METHOD /path`, as servers take it. */
  route: string;
  /** How many connections are made to the host before this request's, each for one request. */
  before: number;
  /** Largest answer that is read, in bytes. Default: the service's 1 MiB, GitHub's 32 MiB. */
  limit?: number;
  /** The job that the run is about. Default: `job_1`. */
  jobId?: string;
  /** An empty list is a good answer. */
  isList?: boolean;
  /** The answer when nothing is wrong, which also does the work. Default: GitHub's own. */
  genuine?: (setup: CellSetup) => Answer;
  /** Sets the scenario before the run. */
  arrange?: (setup: CellSetup) => void | Promise<void>;
  run: RunOptions;
  /** Default: once and for good. */
  times?: readonly Times[];
}
