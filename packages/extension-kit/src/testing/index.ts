import type { InMemoryRepositories } from '@gatehouse/domain/testing';
import type { Organization } from '../domain/index.ts';
import type { ExampleRequest } from '../http/index.ts';

/** The data that example requests of an extension refer to. */
export interface ExampleScene<Store> {
  readonly store: Store;
  /** A text to use wherever created data may have one. The suites look for it in the responses. */
  readonly text: string;
  /** An organization that the member belongs to. */
  readonly shared: Organization;
  /** An organization of the same account that the member does not belong to. */
  readonly closed: Organization;
  /** An organization of another account. */
  readonly foreign: Organization;
}

/** A request, and the user whose token is sent with it. */
export interface Example extends ExampleRequest {
  /** Default: the admin's. */
  readonly as?: 'admin' | 'member';
}

/** Examples by operation and outcome: `success`, and each problem and refusal that the route declares. */
export type Examples = Readonly<Record<string, Readonly<Record<string, Example>>>>;

/** The store and the examples of an extension, for the test suites that run for every extension. */
export interface ExtensionTesting<Store> {
  /** Creates the extension's store in memory, beside the repositories. */
  createInMemoryStore(repositories: InMemoryRepositories): Store;
  /** Creates the data for the examples, and returns an example for every operation. */
  examples(scene: ExampleScene<Store>): Promise<Examples>;
}
