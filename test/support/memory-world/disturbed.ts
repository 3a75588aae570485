import { GITHUB, REPOSITORY, SERVICE } from "../../../emulator/local-world/memory/servers.ts";
import { collect } from "../../../src/collect/collect.ts";
import type { Payload, RunContext } from "../../../src/github/run-context.ts";
import type { ReadInput } from "../../../src/inputs/checks.ts";
import type { Http, HttpAnswer, Outgoing } from "../../../src/net/http.ts";
import { run } from "../../../src/run/run.ts";
import type { Dependencies } from "../../../src/runtime/dependencies.ts";
import { asActionError } from "../../../src/runtime/errors.ts";
import { dependenciesOf } from "../dependencies.ts";
import { contextOf } from "../run-context.ts";
import type { FaultyServers } from "./faulty-servers.ts";
import type { Disturbance, Ran, Turns } from "./runs.ts";

type Action = (read: ReadInput, context: RunContext, it: Dependencies) => Promise<boolean>;

export interface DisturbedRun extends Omit<Disturbance, "post"> {
  inputs?: Record<string, string>;
  random: () => number;
  turns?: Turns;
  /** Told of each request before it is done. */
  onRequest?: (outgoing: Outgoing) => void;
}

const NEVER = new Promise<never>(() => {});

/** One run of an action from its source, as it would go in a process of its own. */
async function perform(
  action: Action,
  context: RunContext,
  servers: FaultyServers,
  { inputs = {}, random, turns, kill, faults, onRequest }: DisturbedRun,
): Promise<Ran> {
  const requests: string[] = [];
  const killed = Promise.withResolvers<void>();
  let isKilled = false;
  const die = (): Promise<never> => {
    isKilled = true;
    killed.resolve();
    return NEVER;
  };
  const exchange = async (outgoing: Outgoing): Promise<HttpAnswer> => {
    if (isKilled) return await NEVER;
    await turns?.take();
    const at = requests.push(`${outgoing.method} ${outgoing.url.host}${outgoing.url.pathname}`) - 1;
    if (kill?.at === at && kill.when === "before") return await die();
    onRequest?.(outgoing);
    const answered = servers.exchange(outgoing, faults?.get(at));
    return kill?.at === at ? await die() : answered;
  };
  const dependencies = dependenciesOf({
    random,
    http: { checkProxy() {}, exchange } as unknown as Http,
    clock: {
      now: () => servers.now,
      // A runner's clock is never quite GitHub's.
      timeOfDay: () => servers.now - 7_000,
      sleep: async (milliseconds) => {
        servers.now += milliseconds;
      },
    },
  });
  const given: Record<string, string> = {
    "api-key": "mint_test",
    "project-id": "docs",
    "base-url": SERVICE,
    "github-token": "ghs_test",
    "github-api-url": GITHUB,
    "trigger-phrase": "/docs",
    ...inputs,
  };
  const { outputs, lines } = dependencies;
  let errorKind = "";
  const main = action((name) => given[name] ?? "", context, dependencies).catch(
    (thrown: unknown) => {
      errorKind = asActionError(thrown).kind;
      lines.push(`thrown: ${thrown instanceof Error ? thrown.stack : String(thrown)}`);
    },
  );
  await Promise.race([main, killed.promise]);
  turns?.leave();
  const kind = isKilled ? "" : errorKind || (outputs.values.errorKind ?? "");
  return { requests, isKilled, outputs: outputs.values, log: lines, errorKind: kind };
}

/** A sweep of collect. */
export function runCollect(servers: FaultyServers, options: DisturbedRun): Promise<Ran> {
  const context = { ...contextOf("schedule"), repository: REPOSITORY, runId: "2002" };
  return perform(collect, context, servers, options);
}

/** A run of the root action for a comment on an issue: by its id, asks by phrase. */
export function runRequest(
  servers: FaultyServers,
  { issue, id, ...options }: DisturbedRun & { issue: number; id: number },
): Promise<Ran> {
  const payload: Payload = {
    action: "created",
    issue: { number: issue, title: "Webhooks", body: "" },
    comment: { id, body: "/docs Describe them.", user: { login: "writer", type: "User" } },
  };
  const runId = String(id);
  const runUrl = `https://github.com/${REPOSITORY}/actions/runs/${runId}/attempts/1`;
  const context = { ...contextOf("issue_comment", payload), repository: REPOSITORY, runId, runUrl };
  const inputs = { "allowed-users": "writer", "include-context": "false", ...options.inputs };
  return perform(run, context, servers, { ...options, inputs });
}
