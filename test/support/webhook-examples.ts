import { createRequire } from "node:module";

/** An event as GitHub's own published examples have it. */
type Example = Record<string, unknown> & { action?: string };

const require = createRequire(import.meta.url);
const DEFINITIONS: { name: string; examples: Example[] }[] = require("@octokit/webhooks-examples");

/**
 * GitHub's examples of an event.
 *
 * @param action one of the event's actions; empty for an event that has none
 */
export function examplesOf(name: string, action: string): Example[] {
  const { examples = [] } = DEFINITIONS.find((it) => it.name === name) ?? {};
  const found = examples.filter((it) => (it.action ?? "") === action);
  if (found.length === 0) throw new Error(`GitHub publishes no example of ${name} ${action}`);
  return found;
}
