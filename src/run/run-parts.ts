import type { Connect } from "../github/connect.ts";
import type { JobMarker, JobMarkers } from "../github/job-marker.ts";
import type { RunContext } from "../github/run-context.ts";
import type { StepIdentity } from "../github/step-identity.ts";
import type { Request } from "../github/trigger.ts";
import type { RunInputs } from "../inputs/run.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { Agent } from "../service/agent.ts";
import type { RunReporter } from "./reporter.ts";

/** What the steps of one run of the root action share. */
export interface RunParts {
  inputs: RunInputs;
  context: RunContext;
  /** What was asked for by phrase; null for a run that was not. */
  request: Request | null;
  connect: Connect;
  markers: JobMarkers;
  step: StepIdentity<JobMarker>;
  agent: Agent;
  reporter: RunReporter;
  /** When waiting ends, in milliseconds on the clock. */
  deadline: number;
  dependencies: Dependencies;
}
