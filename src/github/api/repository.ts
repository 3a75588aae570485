import type { ResponseHeaders } from "@octokit/types";
import * as z from "zod/mini";
import { readAnswer } from "./answer.ts";
import type { Connect } from "./connect.ts";
import { partialAnswerOf } from "./failure.ts";
import { owned, readList } from "./rest.ts";

/** The parts of the client that a reader needs. */
export interface ReadingClient {
  request(route: string, parameters: object): Promise<{ data: unknown; headers: ResponseHeaders }>;
  graphql(query: string, variables: Record<string, unknown>): Promise<unknown>;
}

/** How a list is read. */
interface ListOptions<D, T> {
  path: string;
  query?: object;
  /** Maximum number of pages. */
  pages: number;
  itemsOf: (data: D) => T[];
  /** Whether no further page is needed after this one. */
  isEnough?: (data: D) => boolean;
}

/** A list, and the whole answer to its first request. `isComplete`: false if there are more pages. */
interface ListAnswer<D, T> {
  items: T[];
  first: D;
  isComplete: boolean;
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

  async list<D, T>(
    schema: z.ZodMiniType<D>,
    { path, query = {}, pages, itemsOf, isEnough }: ListOptions<D, T>,
  ): Promise<ListAnswer<D, T>> {
    const route = `GET /repos/{owner}/{repo}${path}`;
    const request = async (page: object) => {
      const parameters = { ...owned(this), ...query, ...page };
      const { data, headers } = await this.#github.request(route, parameters);
      return { data: readAnswer(schema, data), headers };
    };
    const { items, first, isComplete } = await readList(pages, request, itemsOf, isEnough);
    return { items, first: first.data, isComplete };
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

const nameAnswer = z.object({ full_name: z.string() });

/**
 * Returns what reads a repository's present name by its ID, once for each unless that fails: its former one may lead
 * nowhere, or to another repository, and GitHub redirects only reads.
 */
export function presentNames(connect: Connect): (id: number) => Promise<string> {
  const asked = new Map<number, Promise<string>>();
  const ask = async (id: number) => {
    const { data } = await (await connect()).request("GET /repositories/{id}", { id });
    return readAnswer(nameAnswer, data).full_name;
  };
  return (id) => {
    const before = asked.get(id);
    if (before !== undefined) return before;
    const name = ask(id);
    asked.set(id, name);
    name.catch(() => asked.delete(id));
    return name;
  };
}
