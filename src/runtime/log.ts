import * as core from "@actions/core";
import { logText } from "../text/lines.ts";
import type { Secrets } from "../text/secrets.ts";

/** The run's log. Whatever is written to it is data: no text can start a workflow command in it. */
export interface Log {
  debug(text: string): void;
  info(text: string): void;
  notice(text: string): void;
  warning(text: string): void;
  error(text: string): void;
}

/** A log in which no secret appears, the runner's own masks aside. */
export function logWithout(secrets: Secrets, log: Log): Log {
  const without = (write: (text: string) => void) => (text: string) => write(secrets.redact(text));
  return {
    debug: without(log.debug),
    info: without(log.info),
    notice: without(log.notice),
    warning: without(log.warning),
    error: without(log.error),
  };
}

const TITLE = { title: "Docs agent" };

export const actionsLog: Log = {
  debug: (text) => core.debug(logText(text)),
  info: (text) => core.info(logText(text)),
  notice: (text) => core.notice(logText(text), TITLE),
  warning: (text) => core.warning(logText(text), TITLE),
  error: (text) => core.error(logText(text), TITLE),
};
