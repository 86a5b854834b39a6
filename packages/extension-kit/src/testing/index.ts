import type { InMemoryRepositories } from '@gatehouse/domain/testing';
import type { Organization } from '../domain/index.ts';
import type { ExampleRequest } from '../http/index.ts';

/** What an example request of an extension refers to. */
export interface ExampleScene<Store> {
  readonly store: Store;
  /** Any text, to be used in what is created wherever one may be: the suites look for it in the responses. */
  readonly text: string;
  /** An organization that the member belongs to. */
  readonly shared: Organization;
  /** An organization of the same account that the member does not belong to. */
  readonly closed: Organization;
  /** An organization of another account. */
  readonly foreign: Organization;
}

/** A request, and whose token to send. */
export interface Example extends ExampleRequest {
  /** Default: the admin's. */
  readonly as?: 'admin' | 'member';
}

/** Examples by operation and outcome: `success`, and each problem and refusal that the route itself declares. */
export type Examples = Readonly<Record<string, Readonly<Record<string, Example>>>>;

/** What the suites that run over every extension need of one. */
export interface ExtensionTesting<Store> {
  /** Creates the extension's store in memory, beside the repositories. */
  createInMemoryStore(repositories: InMemoryRepositories): Store;
  /** Creates what the examples refer to, and returns an example for every operation. */
  examples(scene: ExampleScene<Store>): Promise<Examples>;
}
