import type { LedgerKind } from "../ledger/open-ledger-issue.ts";
import { renderCheckpoint, renderClaim } from "./claim-text.ts";
import type { UpkeepChange } from "./ledger-change.ts";
import { NOTHING_SHOWN } from "./shown.ts";

/** The ledger of upkeep: one a project. */
export const UPKEEP_LEDGER: LedgerKind<UpkeepChange> = {
  name: "upkeep",
  title: "Docs upkeep",
  label: "docs-upkeep",
  introduction: "This issue shows which merged changes are documented. Nothing has been read yet.",
  shown: NOTHING_SHOWN,
  renderClaim,
  renderCheckpoint,
};
