import type { OpenApiDocument } from '@gatehouse/api-contract';
import type { Result } from '@gatehouse/domain';
import type { Catalog } from '@gatehouse/domain/resources';
import type { SignIn, SignInError } from '@gatehouse/domain/sign-in';
import type { Clock } from '@gatehouse/domain/time';
import type { TokenFormat, TokenIdGenerator } from '@gatehouse/domain/tokens';
import type { HttpRequest } from '@gatehouse/http';
import type { OnPageOf } from './in-page-lane.ts';
import type { PageUseCases } from './page-use-cases.ts';
import type { FindSite } from './site/site.ts';

/** Everything that the app gives the pages. */
export interface PagesPorts {
  readonly useCases: PageUseCases;
  /** Makes the statements of a page wait in the lane of pages of the database. */
  readonly onPageOf: OnPageOf;
  readonly recorded: Recorded;
  /** Decides at which address pages are shown; `createFindSite` makes it. */
  readonly findSite: FindSite;
  /** Returns the OpenAPI document, from which the reference is made. */
  readonly describe: () => OpenApiDocument;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly ids: TokenIdGenerator;
  /** The token format that is selected by default. */
  readonly issuedFormat: TokenFormat;
  /** Whether the process is about to end, so that streams end first. */
  readonly isDraining: () => boolean;
  /** Waits for a time in milliseconds. */
  readonly pause: (milliseconds: number) => Promise<unknown>;
  readonly log: { warn(facts: object, message: string): void };
}

/** Everything that pages can use. Each page picks from it. */
export type PagePorts = PageUseCases & Omit<PagesPorts, 'useCases' | 'onPageOf'>;

type Attempt = Parameters<SignIn>[0];

/**
 * Wraps a use case that signs a user in, of the API or of a page. The use case gets the client's address from the request,
 * and its outcome is counted and logged.
 */
export type Recorded = <Input extends Attempt, Value, E extends { readonly code: SignInError['code'] }>(
  signIn: (input: Input) => Promise<Result<Value, E>>,
) => (request: HttpRequest, credentials: Omit<Input, 'address' | 'onUser'>) => Promise<Result<Value, E>>;
