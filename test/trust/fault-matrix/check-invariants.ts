import { API_KEY, TOKEN } from "../../support/scenario.ts";
import { misfits } from "../../support/sentences.ts";
import { receivedCreates, type Seen } from "./check-result.ts";

/** What a message that was never written for people looks like. */
const RAW = /Cannot read|is not a function|is not iterable|undefined|\[object |NaN|at file:/;

/** Promises that hold in every cell, whatever happens, and were broken in this one. */
export function brokenInvariants(seen: Seen): string[] {
  const { result, setup } = seen;
  const broken: string[] = [];
  const demand = (isKept: boolean, otherwise: string) => {
    if (!isKept) broken.push(otherwise);
  };
  const { service, github, other } = setup;
  demand(receivedCreates(seen) <= 1, "two jobs may have been started");
  demand(other.connections === 0, "another host was led to");
  demand(result.signal === null, `ended by ${result.signal}`);

  const told = result.log.filter(({ kind }) => kind !== "mask");
  const left = {
    log: told,
    outputs: result.outputs,
    state: result.state,
    environment: result.environment,
    summary: result.summary,
    files: result.files,
    comments: github.bodies,
    "requests to GitHub": github.server.requests.map(readable),
  };
  for (const [place, content] of Object.entries(left)) {
    demand(!JSON.stringify(content).includes(API_KEY), `the key is in the ${place}`);
  }
  const toService = JSON.stringify([service.requests.map(readable), left.log, left.outputs]);
  demand(!toService.includes(TOKEN), "the token is where it must not be");
  for (const line of result.visible) {
    demand(!RAW.test(line), `the log says "${line}"`);
  }

  broken.push(...misfits(result));

  const working = seen.comments.filter((body) => body.startsWith("### ⏳"));
  demand(working.length <= 1, "several comments say that the agent is working");
  demand(seen.invitations.length <= 1, "several invitations");
  return broken;
}

function readable({ path, headers, body }: Seen["setup"]["service"]["requests"][number]) {
  return { path, headers, body: body.toString("utf8") };
}
