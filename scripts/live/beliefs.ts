/** What the code relies on and nobody has documented, each tried on the repository of a scene. */

import type { Scene } from "./scene.ts";

/** A habit of GitHub that the code relies on. */
export interface Belief {
  habit: string;
  /** The answers that the code copes with, in a few words. */
  believed: readonly string[];
  /** Tries it. @returns what GitHub answered, in the same words */
  ask(scene: Scene): Promise<string>;
}

/** What came of trying a belief. */
export interface Tried {
  habit: string;
  believed: readonly string[];
  answered: string;
  holds: boolean;
}

/** Tries beliefs one after the other: later ones may need what earlier ones made. */
export async function tryAll(beliefs: readonly Belief[], scene: Scene): Promise<Tried[]> {
  const tried: Tried[] = [];
  for (const { habit, believed, ask } of beliefs) {
    const answered = await ask(scene).catch((error: unknown) => `no answer: ${String(error)}`);
    tried.push({ habit, believed, answered, holds: believed.includes(answered) });
  }
  return tried;
}
