import { expect, test } from "vitest";
import {
  AT,
  change,
  doneDraft,
  EMPTY,
  group,
  jobOf,
  LINK,
  pendingComment,
  review,
  revision,
  runningBatch,
} from "../../../test/support/ledger-examples.ts";
import { endBatch } from "./revision.ts";
import { hideChanges } from "./unread.ts";

test("a change that is hidden is named nowhere, whatever holds it", () => {
  const secret = { ...change(1), title: "Secret", url: "https://github.com/acme/secret/pull/1" };
  const changes = [secret];
  const batch = runningBatch("b", changes);
  const held = revision({
    ...EMPTY,
    waiting: [group(1, { changes })],
    batches: [batch],
    drafts: [doneDraft("d", changes)],
    reviews: [review({ changes, others: changes })],
    followed: [{ id: "f", changes, attempt: 1, job: jobOf("job"), decision: "again", since: AT }],
    done: [{ result: "closed", prLink: LINK, changes, more: 0 }],
    passedOver: [{ change: secret, reason: { code: "no-path" } }],
    pendingComments: [pendingComment(1, { change: secret })],
  });
  const ended = endBatch(held, batch, { state: "left", jobId: "job", prLink: null });
  const { ledger, history } = hideChanges(ended, ({ key }) => key === secret.key);
  expect(JSON.stringify([ledger, history])).not.toMatch(/secret/i);
  const shown = hideChanges(ended, () => false);
  expect(shown.ledger).toEqual(ended.ledger);
});
