/** What `act --json` prints, as the outcome of a workflow run. */

export interface StepOutcome {
  /** Id of the workflow's job. */
  job: string;
  /** The leg of the matrix; empty: there is none. */
  matrix: Record<string, unknown>;
  /** Id of the step, else its position. */
  id: string;
  /** Its name: what it uses or runs, unless the workflow names it. */
  name: string;
  result: string;
  outputs: Record<string, string>;
}

export interface RunOutcome {
  /** Results of the jobs that were run, one for each leg of a matrix. */
  jobs: { job: string; result: string }[];
  steps: StepOutcome[];
  /** The log as a person reads it. */
  log: string[];
}

interface Line {
  msg?: string;
  level?: string;
  jobID?: string;
  jobResult?: string;
  matrix?: Record<string, unknown>;
  stage?: string;
  step?: string;
  stepID?: string[];
  stepResult?: string;
  command?: string;
  name?: string;
  arg?: string;
}

/** Reads the lines; one that is not JSON counts as text. */
export function readActLog(text: string): RunOutcome {
  const outcome: RunOutcome = { jobs: [], steps: [], log: [] };
  for (const raw of text.split("\n")) {
    if (raw.trim() === "") continue;
    const line = asLine(raw);
    if (line.msg !== undefined) outcome.log.push(line.msg.trimEnd());
    if (line.jobResult !== undefined) {
      outcome.jobs.push({ job: line.jobID ?? "", result: line.jobResult });
    }
    if (line.stage === "Main" && line.step !== undefined) takeStep(line, outcome.steps);
  }
  return outcome;
}

function takeStep(line: Line, steps: StepOutcome[]): void {
  const { jobID: job = "", matrix = {}, step: name = "", stepID = [] } = line;
  const id = stepID.join("/");
  const leg = JSON.stringify(matrix);
  let step = steps.find(
    (known) => known.job === job && known.id === id && JSON.stringify(known.matrix) === leg,
  );
  if (step === undefined) {
    step = { job, matrix, id, name, result: "", outputs: {} };
    steps.push(step);
  }
  if (line.stepResult !== undefined) step.result = line.stepResult;
  if (line.command === "set-output" && line.name !== undefined) {
    step.outputs[line.name] = line.arg ?? "";
  }
}

function asLine(raw: string): Line {
  try {
    const value: unknown = JSON.parse(raw);
    if (typeof value === "object" && value !== null) return value;
  } catch {}
  return { msg: raw };
}
