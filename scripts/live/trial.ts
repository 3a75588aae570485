/** Tries on a repository what the code believes of GitHub, and each action; then takes away what it made. */

import { ActionTrial, type TrialService } from "./actions.ts";
import { type Tried, tryAll } from "./beliefs.ts";
import { CONVERSATION_BELIEFS } from "./conversation-beliefs.ts";
import type { Place } from "./github-api.ts";
import { mergeBeliefs, pullBeliefs } from "./pull-beliefs.ts";
import { REF_BELIEFS } from "./ref-beliefs.ts";
import { Scene } from "./scene.ts";

export interface TrialResult {
  tried: readonly Tried[];
  /** What could not be taken away. */
  leftOver: readonly string[];
}

/**
 * @param run identifies the trial among those of the repository
 * @param env variables of the workflow run, for the actions
 * @throws Error if the repository allows no trial, after what was made was taken away
 */
export async function runTrial(
  place: Place,
  service: TrialService,
  run: string,
  env: Record<string, string | undefined> = {},
): Promise<TrialResult> {
  const scene = await Scene.begin(place, run);
  let tried: Tried[] = [];
  let leftOver: string[] = [];
  try {
    tried = await tryScene(scene, service, env);
  } finally {
    leftOver = await scene.end();
  }
  return { tried, leftOver };
}

async function tryScene(
  scene: Scene,
  service: TrialService,
  env: Record<string, string | undefined>,
): Promise<Tried[]> {
  const refs = await tryAll(REF_BELIEFS, scene);
  const conversation = await tryAll(CONVERSATION_BELIEFS, scene);
  const docs = await scene.openPull("Docs");
  const pulls = await tryAll(pullBeliefs(docs), scene);
  const change = await scene.openPull("Change");
  const merged = await tryAll(mergeBeliefs(change), scene);
  const actions = await new ActionTrial(scene, service, { docs, change }, env).tryAll();
  return [...refs, ...conversation, ...pulls, ...merged, ...actions];
}
