import { ABSENT, type Fact, known, mapFact } from "../../runtime/fact.ts";
import type { Connect } from "../api/connect.ts";
import type { Markers, Place } from "./markers.ts";

/**
 * Reads markers, also those that an earlier version of the action wrote before the repository was renamed or
 * transferred. They know it by its old name alone, and GitHub says which repository that name leads to now.
 */
export class MarkerReader<M extends object> {
  readonly #markers: Markers<M>;
  readonly #connect: Connect;
  /** The IDs of repositories by their names, each asked for once. */
  readonly #ids = new Map<string, Fact<number>>();

  constructor(markers: Markers<M>, connect: Connect) {
    this.#markers = markers;
    this.#connect = connect;
  }

  /** The marker of a comment; absent without a valid one. */
  async read({ id, body }: { id: number; body: string }, place: Place): Promise<Fact<M>> {
    const marker = this.#markers.read(body, place, id);
    if (marker !== null) return known(marker);
    const former = place.repositoryId == null ? null : this.#markers.readFormer(body, place, id);
    if (former === null) return ABSENT;
    const named = await this.#idOf(former.repository);
    if (named.type === "unread" && named.isPassing) return named;
    const isHere = named.type === "known" && named.value === place.repositoryId;
    return isHere ? known(former.marker) : ABSENT;
  }

  /** The client follows the redirect of an old name. */
  async #idOf(repository: string): Promise<Fact<number>> {
    const before = this.#ids.get(repository);
    if (before !== undefined) return before;
    const github = await this.#connect();
    const id = mapFact(await github.repositories.id({ repository }), (answer) => answer.id);
    this.#ids.set(repository, id);
    return id;
  }
}
