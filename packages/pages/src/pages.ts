import type { OpenApiDocument } from '@gatehouse/api-contract';
import type { Catalog } from '@gatehouse/domain/resources';
import type { Clock } from '@gatehouse/domain/time';
import type { TokenFormat, TokenIdGenerator } from '@gatehouse/domain/tokens';
import type { Endpoint, Surface } from '@gatehouse/http';
import { activityPage } from './activity.ts';
import { assetEndpoints } from './assets.ts';
import { firstUseEndpoint } from './first-use.ts';
import { homePage, settingsPage } from './home.ts';
import { createProblemView } from './http/error-page.ts';
import { isForReader } from './http/unknown-address.ts';
import { inPageLane, type OnPageOf } from './in-page-lane.ts';
import { newTokenPage } from './new-token.ts';
import type { NoteSignIn } from './note-sign-in.ts';
import type { PageUseCases } from './page-use-cases.ts';
import { passwordPage } from './password.ts';
import * as paths from './paths.ts';
import { referencePage } from './reference/reference.ts';
import { revokeTokenPage } from './revoke-token.ts';
import { rotateTokenPage } from './rotate-token.ts';
import { createFindShell } from './session/find-shell.ts';
import { createSignedIn } from './session/signed-in.ts';
import { sessionsPage } from './sessions.ts';
import { signInEndpoint } from './sign-in.ts';
import { signOutEndpoint } from './sign-out.ts';
import type { FindSite } from './site/site.ts';
import { tokenPage } from './token.ts';
import { tokenListPage } from './token-list.ts';

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

/** What pages can use. Each names what it needs. */
export type PagePorts = PageUseCases & Omit<PagesPorts, 'useCases' | 'onPageOf'>;

/** Creates the pages for browsers. Pages never read bearer tokens, and routes of the API never read cookies. */
export function createPages({ useCases, onPageOf, ...others }: PagesPorts): Surface {
  const ports = { ...others, ...inPageLane(useCases, onPageOf) };
  const { findSite, describe } = ports;
  const signedIn = createSignedIn(ports);
  const findShell = createFindShell(ports);
  const endpoints: Readonly<Record<string, Endpoint>> = {
    ...assetEndpoints,
    [paths.HOME]: homePage(findSite, findShell),
    [paths.SETTINGS]: settingsPage(findSite),
    [paths.REFERENCE]: referencePage(findSite, findShell, describe),
    [paths.SIGN_IN]: signInEndpoint(ports),
    [paths.SIGN_OUT]: signOutEndpoint(ports),
    [paths.ACTIVITY]: signedIn(activityPage(ports)),
    [paths.API_TOKENS]: signedIn(tokenListPage(ports)),
    [paths.NEW_TOKEN]: signedIn(newTokenPage(ports)),
    [`${paths.API_TOKENS}/:id`]: signedIn(tokenPage(ports)),
    [`${paths.API_TOKENS}/:id/first-use`]: firstUseEndpoint(ports),
    [`${paths.API_TOKENS}/:id/revoke`]: signedIn(revokeTokenPage(ports)),
    [`${paths.API_TOKENS}/:id/rotate`]: signedIn(rotateTokenPage(ports)),
    [paths.SESSIONS]: signedIn(sessionsPage(ports)),
    [paths.PASSWORD]: signedIn(passwordPage(ports)),
  };
  return { endpoints, problemView: createProblemView(findSite, findShell), isForReader };
}
