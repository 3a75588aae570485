import { createRequire } from "node:module";

/** One of GitHub's published example payloads. */
type Example = Record<string, unknown> & { action?: string };

const require = createRequire(import.meta.url);
const DEFINITIONS: { name: string; examples: Example[] }[] = require("@octokit/webhooks-examples");

/**
 * GitHub's example payloads of an event.
 *
 * @param action the event's action, or an empty string for an event without actions
 */
export function examplesOf(name: string, action: string): Example[] {
  const { examples = [] } = DEFINITIONS.find((event) => event.name === name) ?? {};
  const matching = examples.filter((example) => (example.action ?? "") === action);
  if (matching.length === 0) throw new Error(`GitHub publishes no example of ${name} ${action}`);
  return matching;
}

/** Every event of GitHub's documentation with each of its actions, an empty string for none. */
export function allActions(): { name: string; action: string }[] {
  return DEFINITIONS.flatMap(({ name, examples }) =>
    [...new Set(examples.map(({ action = "" }) => action))].map((action) => ({ name, action })),
  );
}
