import type { LandLedger, PullEntry } from "../../src/land/ledger.ts";
import { planLand } from "../../src/land/plan.ts";
import { unchanged } from "../../src/ledger/file.ts";
import { landInputs, landLedger, NOW, type PullFacts, readsOf } from "./land-facts.ts";

/** The name of the decision of a plan in land's unit tests. */
export const DECISION = "4242-1-random.1";

/**
 * Land's plan, with the same facts about every docs pull request.
 *
 * @param from the only docs pull request, or a ledger
 * @param sources where docs pull requests are found
 * @param isByHand whether a person has started the run
 */
export async function planOf(
  from: PullEntry | LandLedger,
  facts: PullFacts,
  inputs: Readonly<Record<string, string>> = {},
  sources: Parameters<typeof readsOf>[1] = {},
  isByHand = false,
) {
  const ledger = "open" in from ? from : landLedger([from]);
  const planned = await planLand(
    unchanged(ledger),
    readsOf(facts, sources),
    { now: NOW, name: DECISION },
    {
      inputs: landInputs({ comment: "false", ...inputs }),
      repository: "acme/api",
      isByHand,
    },
  );
  if (planned.type !== "plan") throw new Error(planned.type);
  return planned.plan;
}
