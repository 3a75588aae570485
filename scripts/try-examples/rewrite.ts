/** What a workflow needs in order to run on this machine: local addresses, and stand-ins for other actions. */

import { ownAction, type Step, type WorkflowFile } from "./workflow-file.ts";

/** Where the emulated services are, and what stands in for GitHub's own. */
export interface LocalAddresses {
  serviceUrl: string;
  gitHubUrl: string;
  /** What the stand-in of an action that makes a token puts out. */
  token: string;
}

export interface Rewritten {
  workflow: WorkflowFile;
  /** Actions of others that this machine does not run as they are, and what is done instead. */
  replaced: string[];
}

/**
 * Adds the emulated services' addresses to each step with an action of the project, and replaces the actions of
 * others. Everything else stays as it is written.
 *
 * @param inputsOf names of an action's inputs, by its folder
 * @throws for an action of others that nothing stands in for
 */
export function rewrite(
  workflow: WorkflowFile,
  local: LocalAddresses,
  inputsOf: (action: string) => string[],
): Rewritten {
  const replaced = new Set<string>();
  const jobs = Object.entries(workflow.jobs).map(([name, job]) => {
    const steps = job.steps.map((step) => {
      const action = ownAction(step);
      if (action !== undefined) return withAddresses(step, local, inputsOf(action));
      return step.uses === undefined ? step : standIn(step, local, replaced);
    });
    return [name, { ...job, steps }] as const;
  });
  return { workflow: { ...workflow, jobs: Object.fromEntries(jobs) }, replaced: [...replaced] };
}

function withAddresses(step: Step, local: LocalAddresses, inputs: string[]): Step {
  const addresses = { "base-url": local.serviceUrl, "github-api-url": local.gitHubUrl };
  const added = Object.entries(addresses).filter(([name]) => inputs.includes(name));
  return { ...step, with: { ...step.with, ...Object.fromEntries(added) } };
}

function standIn(step: Step, { token }: LocalAddresses, replaced: Set<string>): Step {
  const [name = ""] = (step.uses ?? "").split("@");
  const { uses: _uses, with: _with, ...rest } = step;
  switch (name) {
    case "actions/checkout":
      replaced.add("checkout: act copies the files");
      return step;
    case "actions/create-github-app-token":
      replaced.add("create-github-app-token: the local token");
      return { ...rest, run: `echo "token=${token}" >> "$GITHUB_OUTPUT"` };
    default:
      throw new Error(
        `Nothing stands in for ${step.uses}: add it to scripts/try-examples/rewrite.ts.`,
      );
  }
}
