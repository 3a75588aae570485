import { expect, test } from "vitest";
import { changeOf, incompressible, stateOf } from "../../test/support/ledger-state.ts";
import { ledgerMarkers } from "../ledger/issue/ledger-markers.ts";
import type { Claim } from "../ledger/model/record.ts";
import { renderChangeClaim } from "./claim-text.ts";
import type { UpkeepChange } from "./ledger-change.ts";

test("the comment of the largest batch fits, whatever titles outsiders write, and names what it can", () => {
  const changes = Array.from({ length: 100 }, (_, at) =>
    changeOf(at + 1, { title: incompressible(120, at) }),
  );
  const claim = stateOf({ changes, state: "running" }).claims[0]?.claim as Claim<UpkeepChange>;
  const text = renderChangeClaim(claim);
  expect(text).toContain("A batch of 100 changes is with the agent.");
  expect(text).toMatch(/- … and 70 more$/);
  const marker = ledgerMarkers<UpkeepChange>("upkeep", ["key"], "project").write(
    { repository: "acme/code", issue: 1 },
    { record: claim },
    1,
  );
  expect(text.length + marker.length).toBeLessThan(65_536);
});
