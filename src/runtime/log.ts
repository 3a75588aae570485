import * as core from "@actions/core";
import { logText } from "../text/lines.ts";
import type { Secrets } from "../text/secrets.ts";
import { counted } from "../text/sentence.ts";

/** The run's log. No text in it can start a workflow command. */
export interface Log {
  debug(text: string): void;
  info(text: string): void;
  /** An annotation. @param about a few words of the action's own, for its title */
  notice(text: string, about?: string): void;
  warning(text: string, about?: string): void;
  error(text: string, about?: string): void;
}

/** GitHub keeps ten annotations of a kind for each step. The last one of the action counts the rest. */
const MOST_WARNINGS = 8;

/**
 * The log of a step, without secrets. Its annotations have the action's title, and say what they are about. After seven
 * warnings, the others are only lines of the log; `end` counts them.
 */
export function actionsLog(title: string, secrets: Secrets): Log & { end(): void } {
  let warnings = 0;
  const shown = (text: string) => logText(secrets.redact(text));
  const annotated = (write: typeof core.notice) => (text: string, about?: string) =>
    write(shown(text), { title: about === undefined ? title : `${title}: ${about}` });
  const annotate = annotated(core.warning);
  return {
    debug: (text) => core.debug(shown(text)),
    info: (text) => core.info(shown(text)),
    notice: annotated(core.notice),
    warning: (text, about) => {
      warnings += 1;
      if (warnings < MOST_WARNINGS) annotate(text, about);
      else core.info(shown(`Warning: ${text}`));
    },
    error: annotated(core.error),
    end: () => {
      const others = warnings - MOST_WARNINGS + 1;
      if (others <= 0) return;
      const are = others === 1 ? "is" : "are";
      annotate(`${counted(others, "more warning")} ${are} only in the log of this step.`);
    },
  };
}
