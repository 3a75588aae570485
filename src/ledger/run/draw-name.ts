import type { Dependencies } from "../../runtime/dependencies.ts";

/** A name that no other run draws. */
export function drawName({ random }: Pick<Dependencies, "random">): string {
  return [0, 1].map(() => Math.floor(random() * 2 ** 52).toString(36)).join("");
}
