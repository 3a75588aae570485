import { checkpointText } from "../ledger/dashboard/claim-lines.ts";
import type { LedgerKind } from "../ledger/issue/ledger-kind.ts";
import { CHECKPOINT_LIMITS } from "../ledger/model/checkpoint.ts";
import { renderChangeClaim } from "./claim-text.ts";
import { type UpkeepChange, upkeepChangeShape } from "./ledger-change.ts";
import { NOTHING_SHOWN } from "./shown.ts";

/** The ledger of upkeep: one a project. */
export const UPKEEP_LEDGER: LedgerKind<UpkeepChange> = {
  name: "upkeep",
  whose: "this project's",
  title: "Docs upkeep",
  label: "docs-upkeep",
  introduction: "This issue shows which merged changes are documented. Nothing has been read yet.",
  shown: NOTHING_SHOWN,
  limits: CHECKPOINT_LIMITS,
  hasFollowUps: true,
  changeShape: upkeepChangeShape,
  renderClaim: renderChangeClaim,
  renderCheckpoint: () => checkpointText("Upkeep"),
};
