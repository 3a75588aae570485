import { findConversation } from "./github/conversation.ts";
import { readContext } from "./github/read-context.ts";
import type { Task } from "./inputs/inputs.ts";
import { isEnd } from "./job/watch.ts";
import { isStatus, ServiceError } from "./service/errors.ts";
import type { Run } from "./world.ts";

const NO_MESSAGES = "cannot be sent a message by version 1 of the agent interface";

/** What is asked of the service: the inputs' task, in the light of what was there before. */
export async function settleTask(run: Run): Promise<Task> {
  const { inputs, request, given, connect, agent, teller, world } = run;
  const { task } = inputs;
  const { log } = world;
  if (task.type === "take-up") return task;
  const left = given.attempt > 1 ? await findLeftBehind(run) : null;
  if (left !== null) return { type: "take-up", jobId: left };

  const context = await readContext({ inputs, given, connect, log, request });
  const prompt = context === "" ? task.prompt : `${task.prompt}\n\n${context}`;
  if (task.type !== "create" || request === null || request.isNew || !inputs.continueJob) {
    return { ...task, prompt };
  }
  const memory = await findConversation({ inputs, given, connect, log });
  if (memory === null) return { type: "create", prompt };
  if (agent.version === "v2" && memory.api === "v2") {
    return { type: "continue", jobId: memory.job, prompt };
  }
  const why =
    agent.version === "v1" ? NO_MESSAGES : "was started by version 1 of the agent interface";
  teller.note(`The job of this conversation ${why}, so a new one was started.`);
  return { type: "create", prompt };
}

/**
 * The job of an earlier attempt of this workflow run, if it is not at an end, or has come to one that
 * nobody was told of: not to be started twice.
 */
async function findLeftBehind({ agent, teller, world }: Run): Promise<string | null> {
  const { stop } = world.cancellation;
  const memory = await teller.findEarlierAttempt();
  if (memory === null) return null;
  try {
    const { job } = await agent.get(memory.job, { signal: stop });
    return isEnd(job.status) && memory.ended ? null : memory.job;
  } catch (error) {
    const isUnknown = error instanceof ServiceError && isStatus(error.failure, 404, 410);
    return isUnknown ? null : memory.job;
  }
}
