import type { OpenApiDocument } from '@gatehouse/api-contract';
import type { Result } from '@gatehouse/domain';
import type { PasswordSignIn } from '@gatehouse/domain/break-glass';
import type { ProviderId, ProviderSignInError } from '@gatehouse/domain/identity-providers';
import type { Catalog } from '@gatehouse/domain/resources';
import type { CompleteSignInError } from '@gatehouse/domain/second-factor';
import type { SecondFactorAsked } from '@gatehouse/domain/sessions';
import type { SignIn, SignInError } from '@gatehouse/domain/sign-in';
import type { Clock } from '@gatehouse/domain/time';
import type { TokenFormat, TokenIdGenerator } from '@gatehouse/domain/tokens';
import type { HttpRequest } from '@gatehouse/http';
import type { OnPageOf } from './in-page-lane.ts';
import type { PageUseCases } from './page-use-cases.ts';
import type { FindSite } from './site/site.ts';

/** The functions and data that the app gives to `createPages`. */
export interface PagesPorts {
  readonly useCases: PageUseCases;
  /**
   * Runs work. Its SQL statements wait for a database connection in the queue for web pages, in which users take turns.
   */
  readonly onPageOf: OnPageOf;
  readonly recorded: Recorded;
  /** Counts and logs how an exchange with an identity provider ended: with this error, or well. */
  readonly noteProviderSignIn: (
    request: HttpRequest,
    provider: ProviderId,
    error?: ProviderSignInError,
  ) => void;
  readonly noteProviderLogOut: NoteProviderLogOut;
  /** Decides whether a request is to the address at which pages are shown. `createFindSite` makes this function. */
  readonly findSite: FindSite;
  /** Returns the OpenAPI document, which the reference shows. */
  readonly describe: () => OpenApiDocument;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly ids: TokenIdGenerator;
  /** The format that the form for a new token selects by default. */
  readonly issuedFormat: TokenFormat;
  /** Whether passwords are off in accounts whose admins sign in with an identity provider. */
  readonly passwordSignIn: PasswordSignIn;
  /** Whether messages can be sent. Links are then mailed, and otherwise shown. */
  readonly isMailSetUp: boolean;
  /** Whether the operators named the proxies in front of the server, so that addresses of clients are known. */
  readonly isProxyTrusted: boolean;
  /** Whether the process is shutting down. Streams of events then end, so that the process does not wait for them. */
  readonly isDraining: () => boolean;
  readonly pause: (milliseconds: number) => Promise<unknown>;
  readonly log: { warn(facts: object, message: string): void };
}

/** Everything that pages can use. Each page declares the part that it needs. */
export type PagePorts = PageUseCases & Omit<PagesPorts, 'useCases' | 'onPageOf'>;

/** Counts and logs a log-out that an identity provider asked for. */
type NoteProviderLogOut = (
  request: HttpRequest,
  provider: ProviderId,
  outcome: Awaited<ReturnType<PageUseCases['endProviderSessions']>>,
) => void;

type Attempt = Parameters<SignIn>[0];

/** An attempt to sign in: with a password, or with the code of a second factor, which names no email. */
type AnyAttempt = Pick<Attempt, 'address' | 'onUser'>;

/** The reason why an attempt to sign in was not successful. */
export type SignInFailure = SignInError['code'] | SecondFactorAsked['code'] | CompleteSignInError['code'];

/**
 * Wraps a use case that signs a user in, by the API or on a page. The wrapper passes the client's address from the
 * request to the use case, and counts and logs the outcome.
 */
export type Recorded = <Input extends AnyAttempt, Value, E extends { readonly code: SignInFailure }>(
  signIn: (input: Input) => Promise<Result<Value, E>>,
) => (request: HttpRequest, given: Omit<Input, 'address' | 'onUser'>) => Promise<Result<Value, E>>;
