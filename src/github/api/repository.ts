import { type Fact, mapFact } from "../../runtime/fact.ts";
import type { Connect } from "./connect.ts";

/** Reads a repository's name by its ID. */
export type ReadName = (id: number) => Promise<Fact<string>>;

/**
 * Returns what reads a repository's present name by its ID, once for each unless that fails: its former one may lead
 * nowhere, or to another repository, and GitHub redirects only reads.
 */
export function presentNames(connect: Connect): ReadName {
  const asked = new Map<number, Promise<Fact<string>>>();
  const ask = async (id: number) => {
    const github = await connect();
    const fact = await github.repositories.byId({ id });
    if (fact.type === "unread") asked.delete(id);
    return mapFact(fact, (repository) => repository.full_name);
  };
  return (id) => {
    const name = asked.get(id) ?? ask(id);
    asked.set(id, name);
    return name;
  };
}
