import type { OpenApiDocument } from '@gatehouse/api-contract';
import type { Result } from '@gatehouse/domain';
import type { Catalog } from '@gatehouse/domain/resources';
import type { SignInError } from '@gatehouse/domain/sign-in';
import type { Clock } from '@gatehouse/domain/time';
import type { TokenFormat, TokenIdGenerator } from '@gatehouse/domain/tokens';
import type { Email } from '@gatehouse/domain/users';
import type { HttpRequest } from '@gatehouse/http';
import type { OnPageOf } from './in-page-lane.ts';
import type { PageUseCases } from './page-use-cases.ts';
import type { FindSite } from './site/site.ts';

/** Everything that the app gives the pages. */
export interface PagesPorts {
  readonly useCases: PageUseCases;
  /** Makes the statements of a page wait in the lane of pages of the database. */
  readonly onPageOf: OnPageOf;
  readonly noteSignIn: NoteSignIn;
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

interface Attempt {
  readonly email: string;
  readonly password: string;
  /** The client's IP address. */
  readonly address: string;
  readonly onUser: (email: Email) => void;
}

/** Runs a sign-in attempt of the API or a page, and reports its outcome to the log and the counters. */
export type NoteSignIn = <Value, E extends { readonly code: SignInError['code'] }>(
  request: HttpRequest,
  credentials: Pick<Attempt, 'email' | 'password'>,
  signIn: (attempt: Attempt) => Promise<Result<Value, E>>,
) => Promise<Result<Value, E>>;
