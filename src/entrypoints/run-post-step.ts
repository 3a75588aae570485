import type { RunContext } from "../github/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { readState } from "../runtime/step-outputs.ts";

/** Records or reports what a main step that was killed has left. @param saved by that step */
type Recover = (
  saved: never,
  githubToken: string,
  dependencies: Dependencies,
  more: { read: ReadInput; context: RunContext },
) => Promise<unknown>;

/** Runs a post step. A main step that came to its end has left nothing to do, and nothing more to load. */
export async function runPostStep(load: () => Promise<Recover>): Promise<void> {
  const saved = readState();
  if (saved === null) return;
  const [{ runEntrypoint }, recover] = await Promise.all([import("./run-entrypoint.ts"), load()]);
  const action = async (read: ReadInput, context: RunContext, dependencies: Dependencies) => {
    await recover(saved as never, read("github-token").trim(), dependencies, { read, context });
    // The main step's failure is what counts.
    return false;
  };
  await runEntrypoint(action, { isRead: false });
}
