import type { Dependencies } from "./dependencies.ts";

/** A name that no other run draws: 20 letters and digits or so, made of 104 bits. */
export function drawName({ random }: Pick<Dependencies, "random">): string {
  return [0, 1].map(() => Math.floor(random() * 2 ** 52).toString(36)).join("");
}
