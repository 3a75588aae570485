import type { ResponseHeaders } from "@octokit/types";
import * as z from "zod/mini";
import { type Fact, mapFact } from "../../runtime/fact.ts";
import { readAnswer } from "./answer.ts";
import type { Connect } from "./connect.ts";
import { partialAnswerOf } from "./failure.ts";
import { owned } from "./rest.ts";

/** The parts of the client that a reader needs. */
export interface ReadingClient {
  request(route: string, parameters: object): Promise<{ data: unknown; headers: ResponseHeaders }>;
  graphql(query: string, variables: Record<string, unknown>): Promise<unknown>;
}

const graphqlAnswer = z.object({ repository: z.unknown() });

/** Reads one repository. Methods check the answers, and throw the errors of the client, or `UnusableAnswer`. */
export class RepositoryReader {
  /** `owner/name` */
  readonly repository: string;
  readonly #github: ReadingClient;

  constructor(github: ReadingClient, repository: string) {
    this.#github = github;
    this.repository = repository;
  }

  /** @param path below the repository */
  async get<D>(schema: z.ZodMiniType<D>, path: string, parameters: object = {}): Promise<D> {
    const route = `GET /repos/{owner}/{repo}${path}`;
    const { data } = await this.#github.request(route, { ...owned(this), ...parameters });
    return readAnswer(schema, data);
  }

  /** Reads fields of the repository with GraphQL. What GitHub cannot resolve may be null, if the schema allows it. */
  async query<D>(schema: z.ZodMiniType<D>, fields: string): Promise<D> {
    const { owner, repo: name } = owned(this);
    const query = `query ($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) { ${fields} }
}`;
    try {
      const answer = await this.#github.graphql(query, { owner, name });
      return readAnswer(schema, readAnswer(graphqlAnswer, answer).repository);
    } catch (error) {
      const read = schema.safeParse(partialAnswerOf(error)?.data.repository);
      if (!read.success) throw error;
      return read.data;
    }
  }
}

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
