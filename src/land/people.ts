/** Who is a person: the account's type decides, because not every bot's login says so. */

import type { Connect } from "../github/api/connect.ts";
import { type MergedChange, repositoryIdIn } from "../github/changes/change-details.ts";
import { ABSENT, type Fact, known } from "../runtime/fact.ts";
import { onceEach } from "./once-each.ts";

export function peopleReads(connect: Connect): {
  /** The login of a person, as GitHub writes it. Absent if it is a bot's, or nobody's. */
  person(login: string): Promise<Fact<string>>;
  /** Who merged a change, if that was a person. */
  merger(change: MergedChange): Promise<Fact<string>>;
} {
  return {
    person: onceEach(
      (login: string) => readPerson(login, connect),
      (login) => login,
    ),
    merger: onceEach(
      (change: MergedChange) => readMerger(change, connect),
      ({ key }) => key,
    ),
  };
}

async function readPerson(login: string, connect: Connect): Promise<Fact<string>> {
  if (login === "") return ABSENT;
  const github = await connect();
  const user = await github.users.get({ login });
  return user.type === "known" ? personIn(user.value) : user;
}

async function readMerger(
  { repository, number, key }: MergedChange,
  connect: Connect,
): Promise<Fact<string>> {
  if (number === null) return ABSENT;
  const github = await connect();
  const pull = await github.pulls.get({ repository, number });
  if (pull.type !== "known") return pull;
  const { base, merged_by } = pull.value;
  const isSame = base.repo.id === (repositoryIdIn(key) ?? base.repo.id);
  return isSame && merged_by ? personIn(merged_by) : ABSENT;
}

function personIn({ login, type }: { login: string; type: string }): Fact<string> {
  return type === "User" ? known(login) : ABSENT;
}
