/** What is tried with a workflow, and what has to come of it. */

import type { Steering } from "../../emulator/service/agent/steering.ts";
import type { TrialSetup } from "./trial-setup.ts";
import type { Step, WorkflowFile } from "./workflow-file.ts";

export interface TrialSetupOptions {
  /** How jobs go. Default: they open a pull request. */
  steering?: Partial<Steering>;
  /** Files in the repository of the workflow. */
  files?: Record<string, string>;
}

export interface Trial extends TrialSetupOptions {
  /** The trigger, as `nameOf` has it; with a comma, what else is special. */
  name: string;
  /** For steps without a workflow: the one around them. Default: started manually. */
  around?: (steps: Step[]) => WorkflowFile;
  /**
   * Lets things happen, runs the workflow, and looks at what came of it.
   *
   * @returns what was seen, in a few words.
   * @throws TrialError when that is not what the example promises.
   */
  try: (setup: TrialSetup) => Promise<string>;
}
