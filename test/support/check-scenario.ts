import type { RunResult } from "../../emulator/runner/runner.ts";
import { checkRun, type RunRules } from "./check-run.ts";
import type { Answer, Exchange, FaultyServer } from "./faulty-server.ts";
import type { TestGitHub } from "./github.ts";

/** The problems of a run that may connect only to the scenario's servers, and of its comments on GitHub. */
export function checkScenario(
  result: RunResult,
  { service, github }: { service: FaultyServer; github?: TestGitHub },
  rules: RunRules = {},
): string[] {
  const servers = github === undefined ? [service] : [service, github.server];
  const hostOf = ({ port }: FaultyServer) => `127.0.0.1:${port}`;
  const contacted = servers.filter(({ requests }) => requests.length > 0).map(hostOf);
  const bodies = github?.bodies ?? [];
  return checkRun(result, {
    hosts: servers.map(hostOf),
    contacted,
    bodies,
    unmarked: 0,
    // The issue that a scenario's runs are triggered on.
    references: ["#7"],
    ...rules,
  });
}

/** Answers the nth request (from 0) with the nth answer that is made. */
export function each(make: (nth: number) => Answer): Answer {
  let nth = 0;
  return (exchange: Exchange) => make(nth++)(exchange);
}
