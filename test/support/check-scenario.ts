import type { RunResult } from "../../emulator/runner/runner.ts";
import { checkRun, type RunRules } from "./check-run.ts";
import type { Answer, Exchange, FaultyServer } from "./faulty-server.ts";
import type { TestGitHub } from "./github.ts";

/** What is wrong with a run that may talk to a scenario's two servers, and with what it left on GitHub. */
export function checkScenario(
  result: RunResult,
  { service, github }: { service: FaultyServer; github?: TestGitHub },
  rules: RunRules = {},
): string[] {
  const servers = github === undefined ? [service] : [service, github.server];
  const hostOf = ({ port }: FaultyServer) => `127.0.0.1:${port}`;
  const heard = servers.filter(({ requests }) => requests.length > 0).map(hostOf);
  const bodies = github?.bodies ?? [];
  return checkRun(result, {
    hosts: servers.map(hostOf),
    heard,
    bodies,
    unmarked: 0,
    // Where a scenario's runs are triggered.
    references: ["#7"],
    ...rules,
  });
}

/** Answers the nth request, from 0, by the nth answer that is made. */
export function each(make: (nth: number) => Answer): Answer {
  let nth = 0;
  return (exchange: Exchange) => make(nth++)(exchange);
}
