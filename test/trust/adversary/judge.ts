/**
 * Judges each act of a run on a docs pull request by what is true at that moment. It knows the design and the emulated
 * GitHub, and nothing of the action.
 *
 * The rule: no act is done against a no that stands when it is done, and stood already when the last request before it
 * was answered whose answer could show it (an answer from a copy that is behind could show what stood by then). That
 * request is one after the plan was written. Without one, nothing was confirmed, and what stands when the act is done
 * is what counts.
 */

import type { Pull } from "../../../emulator/github/state.ts";
import { isPull } from "../../../emulator/github/state.ts";
import type { World } from "../../support/memory-world/world.ts";
import { againstClosing, againstMerge, againstSending, againstUpdate } from "./noes.ts";

/** What is the same for a whole history. */
export interface Rules {
  merge: "never" | "approved" | "checks";
  /** Whether `required-checks` names `docs-check`. With `checks`, it always does. */
  required: boolean;
  delayHours: number;
  closeDays: number;
  maxFollowUps: number;
  /** Login of the account of land's token. */
  reader: string;
}

/** The code pull request that a docs pull request was drafted for. */
export interface CodePull {
  readonly docs: number;
  readonly number: number;
  /** Whether upkeep's ledger says that it has landed. */
  hasLanded: boolean;
}

/** What is to be known of a docs pull request that GitHub does not show now. */
export interface Memory {
  /** When a run first read it, and each of its heads. */
  foundAt: number;
  readonly headsSeenAt: Map<string, number>;
  /** When head or base last changed. */
  movedAt: number;
  place: string;
  /** When somebody reopened it last. */
  reopenedAt: number;
  state: string;
  /** Follow-ups that were sent. */
  readonly sent: { at: number; head: string; prompt: string }[];
  /** Heads that land had GitHub make, to bring its branch up to date. */
  readonly updates: Set<string>;
}

/** Where a no can be seen: in GitHub's answer about the pull request or its code, or in the service's about its job. */
type Shown = "pull" | "code" | "job";

export interface No {
  readonly shown: Shown;
  readonly text: string;
  /** It is only about a follow-up that quotes this. */
  readonly thing?: string;
}

export type ActKind = "merge" | "update" | "close" | "send";

export interface Case {
  readonly world: World;
  readonly rules: Rules;
  readonly pull: Pull;
  readonly memory: Memory;
  /** Null if it was drafted for none. */
  readonly code: CodePull | null;
}

const AGAINST: Record<ActKind, (about: Case) => No[]> = {
  merge: againstMerge,
  update: againstUpdate,
  close: againstClosing,
  send: againstSending,
};

const DONE: Record<ActKind, string> = {
  merge: "merged",
  update: "brought up to date",
  close: "closed",
  send: "sent to the agent",
};

export class Judge {
  /** Null if none was drafted for code. */
  code: CodePull | null = null;
  readonly counts: Record<ActKind, number> = { merge: 0, update: 0, close: 0, send: 0 };
  readonly #world: World;
  readonly #rules: Rules;
  readonly #memories = new Map<number, Memory>();
  /** What stood when it was last read since the plan was written, by pull request and place. */
  readonly #read = new Map<string, Record<ActKind, No[]>>();

  constructor(world: World, rules: Rules) {
    this.#world = world;
    this.#rules = rules;
  }

  /** Called when a run has written its plan: what was read before confirms nothing. */
  planIsWritten(): void {
    this.#read.clear();
  }

  /** Called after each move: notes what GitHub does not keep. */
  note(): void {
    for (const pull of this.#world.servers.agent.pulls) {
      const memory = this.memoryOf(pull);
      const place = `${pull.base} ${pull.baseChanges.length} ${pull.head}`;
      const isMoved = memory.place !== place && !memory.updates.has(pull.head);
      if (isMoved) memory.movedAt = this.#world.servers.now;
      memory.place = place;
      if (pull.state !== memory.state && pull.state === "open") {
        memory.reopenedAt = this.#world.servers.now;
      }
      memory.state = pull.state;
    }
  }

  /** Called when a run is answered about a docs pull request. @param late the age of the answer */
  reads(number: number, late: number): void {
    const pull = this.#pull(number);
    if (pull === null) return;
    const { now } = this.#world.servers;
    const memory = this.memoryOf(pull);
    // GitHub's times are in whole seconds.
    memory.foundAt = Math.min(memory.foundAt, now - (now % 1000));
    this.#rewound(late, () => {
      const { head } = this.#pull(number) ?? pull;
      if (!memory.headsSeenAt.has(head)) memory.headsSeenAt.set(head, now);
      this.#keep(number, "pull");
      if (this.code?.number === number) this.#keep(this.code.docs, "code");
    });
  }

  /** Called when the service is asked about the job of a docs pull request. */
  polls(number: number): void {
    if (this.#pull(number) !== null) this.#keep(number, "job");
  }

  /** @param prompt of a follow-up @returns what is wrong with an act that is about to be done */
  judge(kind: ActKind, number: number, prompt = ""): string[] {
    const pull = this.#pull(number);
    if (pull === null) return [];
    this.counts[kind] += 1;
    const standing = this.#against(kind, pull).filter(
      ({ thing = "" }) => thing === "" || prompt.includes(`${thing}\n`),
    );
    const wrong = standing.filter(({ shown, text }) => {
      const read = this.#read.get(`${number} ${shown}`);
      return read === undefined || read[kind].some((no) => no.text === text);
    });
    return wrong.map(({ text }) => `#${number} is ${DONE[kind]}, although ${text}`);
  }

  memoryOf({ number, state }: Pull): Memory {
    const known = this.#memories.get(number);
    if (known !== undefined) return known;
    const memory: Memory = {
      foundAt: Number.POSITIVE_INFINITY,
      headsSeenAt: new Map(),
      movedAt: this.#world.servers.now,
      place: "",
      reopenedAt: 0,
      state,
      sent: [],
      updates: new Set(),
    };
    this.#memories.set(number, memory);
    return memory;
  }

  #keep(number: number, shown: Shown): void {
    const pull = this.#pull(number);
    if (pull === null) return;
    this.#read.set(`${number} ${shown}`, {
      merge: this.#against("merge", pull),
      update: this.#against("update", pull),
      close: this.#against("close", pull),
      send: this.#against("send", pull),
    });
  }

  #against(kind: ActKind, pull: Pull): No[] {
    const memory = this.memoryOf(pull);
    const code = this.code?.docs === pull.number ? this.code : null;
    return AGAINST[kind]({ world: this.#world, rules: this.#rules, pull, memory, code });
  }

  #rewound(late: number, then: () => void): void {
    if (late <= 0) {
      then();
      return;
    }
    const { home, servers } = this.#world;
    const restore = home.rewind(servers.now - late);
    then();
    restore();
  }

  #pull(number: number): Pull | null {
    const pull = this.#world.home.issues.get(number);
    return isPull(pull) ? pull : null;
  }
}
