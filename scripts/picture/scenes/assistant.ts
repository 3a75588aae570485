// The assistant: a question on an issue, and its answer.
import { startLocalWorld } from "../../../emulator/local-world/index.ts";
import type { Part } from "../page.ts";
import { answeringComment, ask, askingComment } from "./request.ts";

const QUESTION = "/ask how do I rotate a key?";

export async function showAssistant(): Promise<Part[]> {
  await using world = await startLocalWorld();
  const { service } = world;
  const { request, step } = await ask(world, QUESTION, {
    action: "assistant",
    inputs: {
      "api-key": service.assistantKey,
      domain: service.domain,
      "trigger-phrase": "/ask",
    },
  });
  return [
    request.title,
    await askingComment(world, request),
    await answeringComment(world, step.outputs.commentUrl ?? ""),
  ];
}
