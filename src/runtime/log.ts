import * as core from "@actions/core";
import { logText } from "../text/lines.ts";
import type { Secrets } from "../text/secrets.ts";

/** The run's log. No text in it can start a workflow command. */
export interface Log {
  debug(text: string): void;
  info(text: string): void;
  /** An annotation. @param about a few words of the action's own, for its title */
  notice(text: string, about?: string): void;
  warning(text: string, about?: string): void;
  error(text: string, about?: string): void;
}

/** The log of a step, without secrets. Its annotations have the action's title, and say what they are about. */
export function actionsLog(title: string, secrets: Secrets): Log {
  const shown = (text: string) => logText(secrets.redact(text));
  const annotated = (write: typeof core.notice) => (text: string, about?: string) =>
    write(shown(text), { title: about === undefined ? title : `${title}: ${about}` });
  return {
    debug: (text) => core.debug(shown(text)),
    info: (text) => core.info(shown(text)),
    notice: annotated(core.notice),
    warning: annotated(core.warning),
    error: annotated(core.error),
  };
}
