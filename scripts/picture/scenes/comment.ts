// The root action: a request by phrase, and the status comment in the end.
import { startLocalWorld } from "../../../emulator/local-world/index.ts";
import type { Part } from "../page.ts";
import { answeringComment, ask, askingComment } from "./request.ts";

const REQUEST = "/docs explain how to rotate a key without downtime, with an example";

/** The step's clock runs this many times faster: the emulated job of seconds is one of minutes, as real ones. */
const FAST_CLOCK = 40;

export async function showComment(): Promise<Part[]> {
  await using world = await startLocalWorld();
  const { request, step } = await ask(world, REQUEST, {
    fastClock: FAST_CLOCK,
    inputs: { "trigger-phrase": "/docs" },
  });
  return [
    request.title,
    await askingComment(world, request),
    await answeringComment(world, step.outputs.commentUrl ?? ""),
  ];
}
