import type { Gate } from "../inputs/gate.ts";
import type { Connect } from "./connect.ts";
import type { Given } from "./given.ts";
import { admit } from "./permission.ts";
import { type Request, readTrigger } from "./trigger.ts";

/** Whether this run has anything to do. */
export type Asked =
  /** It has; `request` is set when somebody asked for it by phrase. */
  | { type: "run"; request: Request | null }
  | { type: "skip"; why: string }
  /** Somebody who may ask wrote the phrase and nothing else. */
  | { type: "usage" };

/** What was asked for, by whom, and whether they may. */
export async function ask(gate: Gate, given: Given, connect: Connect): Promise<Asked> {
  const trigger = readTrigger(given, gate.triggerPhrase);
  if (trigger.type === "untouched") return { type: "run", request: null };
  if (trigger.type !== "request") return { type: "skip", why: trigger.why };

  const { request } = trigger;
  const { repository } = given;
  const admission = await admit(connect, repository, request.login, gate.requiredPermission);
  if (!admission.isAllowed) return { type: "skip", why: admission.why };
  return request.text === "" ? { type: "usage" } : { type: "run", request };
}
