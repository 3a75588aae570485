// Collect: the status comment that a run without waiting left, and what a sweep made of it.
import { type LocalWorld, startLocalWorld } from "../../../emulator/local-world/index.ts";
import type { Part } from "../page.ts";
import { answeringComment, ask, askingComment } from "./request.ts";
import { runStep } from "./step.ts";

const REQUEST = "/docs explain how to rotate a key without downtime, with an example";

/** The step's clock runs this many times faster: a real run takes some seconds. */
const FAST_CLOCK = 20;

/** Between two checks whether the emulated job has ended, in milliseconds. */
const PAUSE_MS = 200;

export async function showCollect(): Promise<Part[]> {
  await using world = await startLocalWorld();
  const { request, step } = await ask(world, REQUEST, {
    fastClock: FAST_CLOCK,
    inputs: { "trigger-phrase": "/docs", wait: "false" },
  });
  const url = step.outputs.commentUrl ?? "";
  const left = await answeringComment(world, url);
  await jobsEnded(world);
  const sweep = await runStep(world, {
    action: "collect",
    eventName: "schedule",
    inputs: { "trigger-phrase": "/docs" },
  });
  if (sweep.outputs.finishedCount !== "1") throw new Error("The sweep finished no comment.");
  return [
    request.title,
    await askingComment(world, request),
    { kind: "caption", text: "When the run has ended, after seconds:" },
    left,
    { kind: "caption", text: "The same comment after a later sweep:" },
    await answeringComment(world, url),
  ];
}

async function jobsEnded({ service }: LocalWorld): Promise<void> {
  while ((await service.jobs()).some(({ record }) => record.status === "active")) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
