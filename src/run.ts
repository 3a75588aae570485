import { connectorOf, findOut, skip } from "./asked.ts";
import { asActionError } from "./errors.ts";
import type { Given } from "./github/given.ts";
import { renderUsage } from "./github/report.ts";
import { type SavedState, Teller, type TellerOptions } from "./github/teller.ts";
import { type Inputs, parseInputs, type ReadInput } from "./inputs/inputs.ts";
import type { Ending } from "./job/outcome.ts";
import { isEnd } from "./job/watch.ts";
import { live } from "./live.ts";
import type { Agent } from "./service/agent.ts";
import { AgentV2 } from "./service/agent-v2.ts";
import { ServiceError } from "./service/errors.ts";
import { Transport } from "./service/transport.ts";
import { settleTask } from "./settle.ts";
import type { World } from "./world.ts";

const DEPRECATED =
  "Version 1 of the agent interface is deprecated by the service. Leave out `api-version` to use version 2, which chooses the branch and the model itself.";

/**
 * Runs a docs agent job from beginning to end.
 *
 * @param read reads an input by its name
 * @returns whether the step fails
 */
export async function run(read: ReadInput, given: Given, world: World): Promise<boolean> {
  const begun = world.clock.now();
  const startedAt = world.clock.timeOfDay();
  const asked = await findOut(read, given, world, (gate) => renderUsage(gate.triggerPhrase));
  if (asked.type !== "run") return skip(asked, world);

  const { request } = asked;
  const inputs = parseInputs(read, given, request?.text);
  const connect = connectorOf(inputs, world);
  const teller = createTeller({ inputs, given, connect, startedAt, request }, world);
  const over = new AbortController();

  teller.acknowledge();
  if (inputs.api.version === "v1") world.log.warning(DEPRECATED);
  let ending: Ending;
  try {
    const agent = await createAgent(inputs, world, over.signal);
    const deadline = begun + inputs.timeout;
    const run = { inputs, given, request, connect, agent, teller, deadline, world };
    ending = await live(await settleTask(run), run);
  } catch (thrown) {
    if (thrown instanceof Error) world.log.debug(thrown.stack ?? thrown.message);
    ending = { type: "error", id: teller.jobId, job: null, error: asActionError(thrown) };
  }
  over.abort();
  return await teller.conclude(ending);
}

/**
 * The post step: tells of a run whose main step was killed before it could.
 *
 * @param state what the main step saved
 */
export async function recover(
  read: ReadInput,
  given: Given,
  world: World,
  state: SavedState,
): Promise<void> {
  // The prompt may come from a file that is gone by now; all that is wanted is to look at the job.
  const readForLook: ReadInput = (name) =>
    name === "job-id" ? state.id || "unknown" : name.startsWith("prompt") ? "" : read(name);
  const inputs = parseInputs(readForLook, given);
  const { startedAt } = state;
  const connect = connectorOf(inputs, world);
  const teller = createTeller({ inputs, given, connect, startedAt, request: null }, world);
  teller.resume(state);
  const { id } = state;
  if (id === "") {
    await teller.conclude({ type: "cancelled", id, job: null, uncertain: true });
    return;
  }
  try {
    const agent = await createAgent(inputs, world, world.cancellation.stop);
    const { job } = await agent.get(id);
    const ended = isEnd(job.status);
    await teller.conclude(
      ended ? { type: "ended", job } : { type: "cancelled", id, job, uncertain: false },
    );
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    world.log.warning(`The job could not be looked at: ${error.message}.`);
    await teller.conclude({ type: "cancelled", id, job: null, uncertain: false });
  }
}

/** @param over aborted when nothing of the agent is wanted any more */
async function createAgent(inputs: Inputs, world: World, over: AbortSignal): Promise<Agent> {
  const { http, clock, log } = world;
  const { api, apiKey, projectId, baseUrl } = inputs;
  const transport = new Transport({ http, baseUrl, apiKey, timeOfDay: clock.timeOfDay });
  if (api.version === "v2") return new AgentV2(transport, projectId);
  // Loaded only by those who still ask for it.
  const { AgentV1 } = await import("./service/agent-v1.ts");
  const show = (text: string) => log.info(text);
  const { choices } = api;
  return new AgentV1({ transport, projectId, apiKey, choices, clock, over, show });
}

function createTeller(
  options: Pick<TellerOptions, "inputs" | "given" | "connect" | "startedAt" | "request">,
  { desk, log, clock, cancellation }: World,
): Teller {
  const api = options.inputs.api.version;
  return new Teller({ ...options, api, desk, log, clock, stop: cancellation.stop });
}
