import type { Connect } from "../api/connect.ts";
import { valueIn } from "../api/refusal.ts";
import type { Markers, Place } from "./markers.ts";

/**
 * Reads markers, also those that an earlier version of the action wrote before the repository was renamed or
 * transferred. They know it by its old name alone, and GitHub says which repository that name leads to now.
 */
export class MarkerReader<M extends object> {
  readonly #markers: Markers<M>;
  readonly #connect: Connect;
  /** The IDs of repositories by their names, each asked for once. Null for a name that leads nowhere. */
  readonly #ids = new Map<string, number | null>();

  constructor(markers: Markers<M>, connect: Connect) {
    this.#markers = markers;
    this.#connect = connect;
  }

  /** The marker of a comment; null without a valid one. */
  async read({ id, body }: { id: number; body: string }, place: Place): Promise<M | null> {
    const marker = this.#markers.read(body, place, id);
    if (marker !== null || place.repositoryId == null) return marker;
    const former = this.#markers.readFormer(body, place, id);
    if (former === null) return null;
    return (await this.#idOf(former.repository)) === place.repositoryId ? former.marker : null;
  }

  /** The client follows the redirect of an old name. */
  async #idOf(repository: string): Promise<number | null> {
    const known = this.#ids.get(repository);
    if (known !== undefined) return known;
    const id = await this.#request(repository);
    this.#ids.set(repository, id);
    return id;
  }

  async #request(repository: string): Promise<number | null> {
    const github = await this.#connect();
    const fact = await github.repositories.get({ repository });
    return fact.type === "unread" && !fact.isPassing ? null : (valueIn(fact)?.id ?? null);
  }
}
