/** Signals by which a runner cancels a step: SIGINT first, 7.5 s later SIGTERM, on Windows SIGBREAK. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGBREAK"] as const;

/** How long the process may take after a signal, in milliseconds. Everything must be reported within 3 s. */
const EXIT_AFTER = 2_600;

/** The run's cancellation. {@link stop} ends every wait at once; {@link after} gives open requests a moment to end. */
export class Cancellation {
  readonly #controller = new AbortController();
  /** Aborted as soon as the run is cancelled. */
  readonly stop: AbortSignal = this.#controller.signal;

  /** Aborted this many milliseconds after the run was cancelled. */
  after(milliseconds: number): AbortSignal {
    const controller = new AbortController();
    const abortLater = () => setTimeout(() => controller.abort(), milliseconds).unref();
    if (this.stop.aborted) abortLater();
    else this.stop.addEventListener("abort", abortLater, { once: true });
    return controller.signal;
  }

  /** Cancels the run; a second time does nothing. */
  cancel(): void {
    this.#controller.abort();
  }
}

/** Cancels the run on a signal of the runner, and ends the process in time in any case. */
export function cancelOnSignal(cancellation: Cancellation, onSignal: (name: string) => void): void {
  for (const name of SIGNALS) {
    process.on(name, () => {
      if (cancellation.stop.aborted) return;
      onSignal(name);
      setTimeout(() => process.exit(1), EXIT_AFTER).unref();
      cancellation.cancel();
    });
  }
}
