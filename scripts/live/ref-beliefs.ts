/** Beliefs about refs and commits, on which every ledger rests. */

import type { Belief } from "./beliefs.ts";
import { inWords } from "./github-api.ts";
import type { Scene } from "./scene.ts";

const NOWHERE = "0123456789012345678901234567890123456789";

/** The commits of a ledger that the trial keeps. */
interface TrialLedger {
  /** Without `refs/`. */
  ref: string;
  first: string;
  second: string;
}

const ledgers = new WeakMap<Scene, Promise<TrialLedger>>();

function ledgerOf(scene: Scene): Promise<TrialLedger> {
  const known = ledgers.get(scene) ?? makeLedger(scene);
  ledgers.set(scene, known);
  return known;
}

async function makeLedger(scene: Scene): Promise<TrialLedger> {
  const ref = `docs-agent/live/${scene.name}`;
  scene.later(() => scene.deleteRef(ref));
  const first = await scene.commit(scene.start, { "ledger.json": '{"writes":1}' });
  const second = await scene.commit(first, { "ledger.json": '{"writes":2}' });
  return { ref, first, second };
}

async function words(scene: Scene, route: string, fields?: object): Promise<string> {
  const { status, body } = await scene.github.call(route, fields);
  return inWords(status, body);
}

export const REF_BELIEFS: readonly Belief[] = [
  {
    habit: "A ref below refs/docs-agent/ is made",
    believed: ["201"],
    ask: async (scene) => {
      const { ref, first } = await ledgerOf(scene);
      return await words(scene, "POST /git/refs", { ref: `refs/${ref}`, sha: first });
    },
  },
  {
    habit: "A ref that exists is not made again",
    believed: ["422 Reference already exists"],
    ask: async (scene) => {
      const { ref, first } = await ledgerOf(scene);
      return await words(scene, "POST /git/refs", { ref: `refs/${ref}`, sha: first });
    },
  },
  {
    habit: "A ref to a commit that does not exist is not made",
    believed: ["422 Object does not exist"],
    ask: async (scene) => {
      const { ref } = await ledgerOf(scene);
      return await words(scene, "POST /git/refs", { ref: `refs/${ref}-2`, sha: NOWHERE });
    },
  },
  {
    habit: "A ref is moved to a commit on top",
    believed: ["200"],
    ask: async (scene) => {
      const { ref, second } = await ledgerOf(scene);
      return await words(scene, `PATCH /git/refs/${ref}`, { sha: second, force: false });
    },
  },
  {
    habit: "A read right after the move shows the new commit, or the one before",
    believed: ["the new commit", "the commit before"],
    ask: async (scene) => {
      const { ref, first, second } = await ledgerOf(scene);
      const { object } = await scene.github.need<{ object: { sha: string } }>(
        `GET /git/ref/${ref}`,
      );
      if (object.sha === second) return "the new commit";
      return object.sha === first ? "the commit before" : `another commit, ${object.sha}`;
    },
  },
  {
    habit: "A ref is not moved back without force",
    believed: ["422 Update is not a fast forward"],
    ask: async (scene) => {
      const { ref, first } = await ledgerOf(scene);
      return await words(scene, `PATCH /git/refs/${ref}`, { sha: first, force: false });
    },
  },
  {
    habit: "A ref that is missing is not moved",
    believed: ["422 Reference does not exist"],
    ask: async (scene) => {
      const { ref, first } = await ledgerOf(scene);
      return await words(scene, `PATCH /git/refs/${ref}-3`, { sha: first, force: false });
    },
  },
  {
    habit: "Refs are listed by the beginning of their names",
    believed: ["the ref"],
    ask: async (scene) => {
      const { ref } = await ledgerOf(scene);
      const route = "GET /git/matching-refs/docs-agent/live/";
      const refs = await scene.github.need<{ ref: string }[]>(route);
      return refs.some((listed) => listed.ref === `refs/${ref}`) ? "the ref" : "without the ref";
    },
  },
  {
    habit: "A tree that is based on a commit keeps the commit's files",
    believed: ["both files"],
    ask: async (scene) => {
      const { second } = await ledgerOf(scene);
      const next = await scene.commit(second, { "history/2026-11.jsonl": "{}\n" });
      const read = await Promise.all(
        ["ledger.json", "history/2026-11.jsonl"].map((path) =>
          scene.github.call(`GET /contents/${path}?ref=${next}`, undefined, RAW),
        ),
      );
      return read.every(({ status }) => status === 200) ? "both files" : "not both files";
    },
  },
  {
    habit: "A file is read as it was written, at a commit that only such a ref names",
    believed: ['{"writes":2}'],
    ask: async (scene) => {
      const { second } = await ledgerOf(scene);
      const route = `GET /contents/ledger.json?ref=${second}`;
      const { body } = await scene.github.call<string | object>(route, undefined, RAW);
      return typeof body === "string" ? body : JSON.stringify(body);
    },
  },
  {
    habit: "Two commits of it are compared",
    believed: ["ahead"],
    ask: async (scene) => {
      const { first, second } = await ledgerOf(scene);
      const route = `GET /compare/${first}...${second}`;
      return (await scene.github.need<{ status: string }>(route)).status;
    },
  },
  {
    habit: "A ref is deleted, and is then unknown",
    believed: ["204, then 404 Not Found"],
    ask: async (scene) => {
      const { ref } = await ledgerOf(scene);
      const deleted = await words(scene, `DELETE /git/refs/${ref}`);
      return `${deleted}, then ${await words(scene, `GET /git/ref/${ref}`)}`;
    },
  },
];

/** Asks for a file's content. */
const RAW = "application/vnd.github.raw+json";
