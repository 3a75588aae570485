// Tries on GitHub itself what the code believes of it, in the repository of the workflow that runs this:
// .github/workflows/live.yml. The service is the emulated one, beside this process.
import { appendFileSync } from "node:fs";
import { startLocalWorld } from "../emulator/local-world/index.ts";
import { summaryOf } from "./live/summary.ts";
import { runTrial } from "./live/trial.ts";

/** @throws Error if the variable is empty */
function variable(name: string): string {
  const value = process.env[name] ?? "";
  if (value === "") throw new Error(`${name} is empty: start this from .github/workflows/live.yml`);
  return value;
}

const place = {
  apiUrl: variable("GITHUB_API_URL"),
  serverUrl: variable("GITHUB_SERVER_URL"),
  repository: variable("GITHUB_REPOSITORY"),
  token: variable("GITHUB_TOKEN"),
};
const run = `${variable("GITHUB_RUN_ID")}-${variable("GITHUB_RUN_ATTEMPT")}`;
const names = [
  "GITHUB_REPOSITORY_ID",
  "GITHUB_RUN_ID",
  "GITHUB_RUN_ATTEMPT",
  "GITHUB_WORKFLOW_REF",
];
const env = Object.fromEntries(names.map((name) => [name, process.env[name]]));

await using world = await startLocalWorld();
const result = await runTrial(place, world.service, run, env);
const summary = summaryOf(result);
console.log(summary);
appendFileSync(variable("GITHUB_STEP_SUMMARY"), summary);
if (result.tried.some(({ holds }) => !holds) || result.leftOver.length > 0) process.exitCode = 1;
