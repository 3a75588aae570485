import { expect, test } from "vitest";
import { ActionError } from "../runtime/errors.ts";
import { AgentV1 } from "./agent-v1.ts";
import type { Transport } from "./transport.ts";

test("a message is not sent: version 2 is named", async () => {
  const agent = new AgentV1({
    transport: {} as Transport,
    projectId: "docs",
    choices: { branch: "docs/x", asDraft: null, model: null, messages: [] },
    over: new AbortController().signal,
    log: { info: () => {} },
  });
  const sending = agent.message();
  await expect(sending).rejects.toThrow(ActionError);
  await expect(sending).rejects.toThrow(/v2/);
});
