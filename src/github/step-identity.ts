import * as z from "zod/mini";
import type { Markers } from "./markers.ts";
import type { RunContext } from "./run-context.ts";

/** The step that wrote a comment, as its marker names it. */
export const stepShape = {
  /** The workflow run, its attempt (from 1), and the step of one of its jobs. */
  ...{ run: z.string(), attempt: z.number(), step: z.string() },
  /** Keyed hash of the matrix leg and of what the step asks for. */
  asks: z.string(),
};

const stepMarker = z.object(stepShape);

export type StepMarker = z.infer<typeof stepMarker>;

/**
 * Recognises the comments of one step, in every attempt of its run. Run, job and step are the same for the
 * legs of a matrix and for a reusable workflow that is called twice. `asks` distinguishes them.
 */
export class StepIdentity<M extends StepMarker> {
  readonly #markers: Markers<M>;
  readonly #asks: string;
  /** What goes into this step's markers. */
  readonly marker: StepMarker;

  /**
   * @param matrix the matrix leg as JSON
   * @param asked what the step asks for, as the workflow gave it
   */
  constructor(
    markers: Markers<M>,
    { runId: run, attempt, step }: Pick<RunContext, "runId" | "attempt" | "step">,
    matrix: string,
    asked: readonly string[],
  ) {
    this.#markers = markers;
    this.#asks = JSON.stringify([canonical(matrix), ...asked]);
    this.marker = { run, attempt, step, asks: markers.fingerprint(this.#asks) };
  }

  /** Whether a marker is of this step, in any attempt. */
  isOwn({ run, step, asks }: StepMarker): boolean {
    const isSameStep = run === this.marker.run && step === this.marker.step;
    return isSameStep && this.#markers.isFingerprint(asks, this.#asks);
  }

  /** Whether a marker is of an earlier attempt of this step. */
  isEarlier(marker: StepMarker): boolean {
    return this.isOwn(marker) && marker.attempt < this.marker.attempt;
  }
}

/** Ignores white space in the matrix's JSON. Without a matrix, it is `null`. */
function canonical(matrix: string): string {
  try {
    return JSON.stringify(JSON.parse(matrix.trim() || "null"));
  } catch {
    return matrix;
  }
}
