import { expect, test } from "vitest";
import { systemClock } from "../runtime/clock.ts";
import { ActionError } from "../runtime/errors.ts";
import { AgentV1 } from "./agent-v1.ts";
import { ServiceError } from "./errors.ts";
import type { Transport } from "./transport.ts";

function agentOn(transport: Pick<Transport, "stream" | "json">): AgentV1 {
  return new AgentV1({
    transport: transport as Transport,
    projectId: "docs",
    choices: { branch: "docs/x", asDraft: null, model: null, messages: [] },
    clock: systemClock,
    over: new AbortController().signal,
    show: () => {},
  });
}

async function* nothing(): AsyncGenerator<string> {}

test("stopped while the list is asked for the session: there is one, whatever became of the list", async () => {
  const stop = new AbortController();
  const agent = agentOn({
    stream: async () => ({ headers: {}, text: nothing() }),
    json: async () => {
      stop.abort();
      throw new ServiceError({ type: "stopped", sent: false }, "stopped by the run");
    },
  });
  const creating = agent.create("Write.", { signal: stop.signal });
  await expect(creating).rejects.toMatchObject({ failure: { type: "stopped", sent: true } });
});

test("a message is not sent: version 2 is named", async () => {
  const agent = agentOn({ stream: () => never(), json: () => never() });
  const sending = agent.message();
  await expect(sending).rejects.toThrow(ActionError);
  await expect(sending).rejects.toThrow(/v2/);
});

function never(): never {
  throw new Error("Nothing was to be sent");
}
