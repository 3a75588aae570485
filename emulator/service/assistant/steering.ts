/**
 * Steering of the assistant, by `emulate:` lines in a question; see `../steering-options.ts`
 * for how they are written. The defaults come from the seed (`assistant`).
 *
 * | option     | what it does                                                                          |
 * |------------|---------------------------------------------------------------------------------------|
 * | `form=…`   | `data` (AI SDK 4), `ui` (AI SDK 5) or `json`; default: the endpoint's own             |
 * | `thread=…` | where the thread's id is: `finish` (default), `data`, `annotation` or `metadata`; see |
 * |            | the forms for what each of them makes of it                                           |
 * | `pause=…`  | time between two parts: `20ms`                                                        |
 * | `split=N`  | chunks of N bytes, wherever that cuts                                                 |
 */

import { duration, type Options, oneOf, steered } from "../steering-options.ts";

export interface AssistantSteering {
  /** Null: the endpoint's own form. */
  form: (typeof FORMS)[number] | null;
  thread: (typeof THREADS)[number];
  /** Between two parts, in milliseconds. Default: 20, so that a person sees it arrive. */
  pauseMs: number;
  /** Size of a chunk in bytes. Default: a chunk a part. */
  split: number;
}

export const DEFAULT_ASSISTANT_STEERING: AssistantSteering = {
  ...{ form: null, thread: "finish", pauseMs: 20, split: Number.MAX_SAFE_INTEGER },
};

/** The defaults, changed by the `emulate:` lines of a question. @throws HttpError 400 */
export function steerAssistant(question: string, defaults: AssistantSteering): AssistantSteering {
  return steered(question, defaults, OPTIONS);
}

const FORMS = ["data", "ui", "json"] as const;
const THREADS = ["finish", "data", "annotation", "metadata"] as const;

const OPTIONS: Options<AssistantSteering> = {
  form: (value) => ({ form: oneOf(FORMS, value) }),
  thread: (value) => ({ thread: oneOf(THREADS, value) }),
  pause: (value) => ({ pauseMs: duration(value) }),
  split: (value) => ({ split: Number(value) }),
};
