/** Signals by which a runner cancels a step: SIGINT first, 7.5 s later SIGTERM, on Windows SIGBREAK. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGBREAK"] as const;

/** How long the process may take after a signal, in milliseconds. Everything must be reported within 3 s. */
const EXIT_AFTER = 2_600;

/**
 * The run's cancellation. {@link stop} ends every wait at once; {@link after} gives open requests a moment to end.
 */
export class Cancellation {
  readonly #stop = new AbortController();
  readonly #delayed = new Set<{ controller: AbortController; milliseconds: number }>();

  /** Aborted as soon as the run is cancelled. */
  get stop(): AbortSignal {
    return this.#stop.signal;
  }

  /** Aborted so many milliseconds after the run was cancelled. */
  after(milliseconds: number): AbortSignal {
    const controller = new AbortController();
    if (this.stop.aborted) abortLater(controller, milliseconds);
    else this.#delayed.add({ controller, milliseconds });
    return controller.signal;
  }

  /** Cancels the run; a second time does nothing. */
  cancel(): void {
    if (this.stop.aborted) return;
    this.#stop.abort();
    for (const { controller, milliseconds } of this.#delayed) abortLater(controller, milliseconds);
  }
}

function abortLater(controller: AbortController, milliseconds: number): void {
  setTimeout(() => controller.abort(), milliseconds).unref();
}

/**
 * Cancels the run on a signal of the runner, and ends the process in time in any case.
 */
export function cancelOnSignal(cancellation: Cancellation, onSignal: (name: string) => void): void {
  for (const name of SIGNALS) {
    process.on(name, () => {
      if (!cancellation.stop.aborted) {
        onSignal(name);
        setTimeout(() => process.exit(1), EXIT_AFTER).unref();
      }
      cancellation.cancel();
    });
  }
}
