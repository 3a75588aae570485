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

/** A log without secrets, independent of the runner's masks. */
export function logWithout(secrets: Secrets, log: Log): Log {
  const without =
    (write: (text: string, about?: string) => void) => (text: string, about?: string) =>
      write(secrets.redact(text), about);
  return {
    debug: without(log.debug),
    info: without(log.info),
    notice: without(log.notice),
    warning: without(log.warning),
    error: without(log.error),
  };
}

/** The log of a step, whose annotations have the action's title, and say what they are about. */
export function actionsLog(title: string): Log {
  const titled = (about?: string) => ({
    title: about === undefined ? title : `${title}: ${about}`,
  });
  return {
    debug: (text) => core.debug(logText(text)),
    info: (text) => core.info(logText(text)),
    notice: (text, about) => core.notice(logText(text), titled(about)),
    warning: (text, about) => core.warning(logText(text), titled(about)),
    error: (text, about) => core.error(logText(text), titled(about)),
  };
}
