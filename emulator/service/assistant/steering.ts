/**
 * Steering of the assistant, by `emulate:` lines in a question; see `../steering-options.ts`
 * for how they are written. The defaults come from the seed (`assistant`).
 *
 * | option          | what it does                                                                |
 * |-----------------|-----------------------------------------------------------------------------|
 * | `form=…`        | `data` (AI SDK 4), `ui` (AI SDK 5) or `json`; default: the endpoint's own   |
 * | `thread=…`      | where the thread's id is: `finish` (default), `data`, `annotation`,         |
 * |                 | `metadata` or `none`; see the forms for what each of them makes of it       |
 * | `outcome=error` | an error part after the first words                                         |
 * | `stream=…`      | `break` after the first words, or `endless`                                 |
 * | `pause=…`       | time between two parts: `20ms`                                              |
 * | `split=N`       | chunks of N bytes, wherever that cuts                                       |
 */

import { badOption, duration, oneOf, optionsIn, splitOption } from "../steering-options.ts";

export interface AssistantSteering {
  /** Null: the endpoint's own form. */
  form: Form | null;
  thread: "finish" | "data" | "annotation" | "metadata" | "none";
  fails: boolean;
  stream: "whole" | "break" | "endless";
  /** Between two parts, in milliseconds. Default: 20, so that a person sees it arrive. */
  pauseMs: number;
  /** Size of a chunk in bytes; null: a chunk a part. */
  split: number | null;
}

export type Form = "data" | "ui" | "json";

export const DEFAULT_ASSISTANT_STEERING: AssistantSteering = {
  form: null,
  thread: "finish",
  fails: false,
  stream: "whole",
  pauseMs: 20,
  split: null,
};

/** The defaults, changed by the `emulate:` lines of a question. */
export function steerAssistant(question: string, defaults: AssistantSteering): AssistantSteering {
  const steering = { ...defaults };
  for (const option of optionsIn(question)) apply(option, steering);
  return steering;
}

const FORMS = ["data", "ui", "json"] as const;
const THREADS = ["finish", "data", "annotation", "metadata", "none"] as const;
const STREAMS = ["whole", "break", "endless"] as const;

function apply(option: string, steering: AssistantSteering): void {
  const [name, value] = splitOption(option);
  switch (name) {
    case "form":
      steering.form = oneOf(FORMS, value, option);
      return;
    case "thread":
      steering.thread = oneOf(THREADS, value, option);
      return;
    case "outcome":
      steering.fails = oneOf(["answer", "error"], value, option) === "error";
      return;
    case "stream":
      steering.stream = oneOf(STREAMS, value, option);
      return;
    case "pause":
      steering.pauseMs = duration(value, option);
      return;
    case "split":
      if (!/^[1-9]\d*$/.test(value ?? "")) throw badOption(option, "expected a number of bytes");
      steering.split = Number(value);
      return;
    default:
      throw badOption(option, "unknown option");
  }
}
