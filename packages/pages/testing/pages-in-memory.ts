import { setTimeout as delay } from 'node:timers/promises';
import * as accounts from '@gatehouse/domain/accounts';
import * as audit from '@gatehouse/domain/audit';
import * as extensions from '@gatehouse/domain/extensions';
import * as identityProviders from '@gatehouse/domain/identity-providers';
import * as links from '@gatehouse/domain/links';
import * as mail from '@gatehouse/domain/mail';
import * as organizations from '@gatehouse/domain/organizations';
import * as secondFactor from '@gatehouse/domain/second-factor';
import * as services from '@gatehouse/domain/services';
import * as sessions from '@gatehouse/domain/sessions';
import { createSequentialTokenIds, type World } from '@gatehouse/domain/testing';
import * as tokenPolicy from '@gatehouse/domain/token-policy';
import * as tokens from '@gatehouse/domain/tokens';
import * as users from '@gatehouse/domain/users';
import * as webhooks from '@gatehouse/domain/webhooks';
import { type Folders, PAGE_USE_CASES, type PageUseCases } from '../src/page-use-cases.ts';
import type { PagesPorts } from '../src/ports.ts';

type Parts = Pick<
  PagesPorts,
  | 'catalog'
  | 'clock'
  | 'ids'
  | 'isMailSetUp'
  | 'isProxyTrusted'
  | 'noteProviderLogOut'
  | 'noteProviderSignIn'
  | 'onPageOf'
  | 'passwordSignIn'
  | 'pause'
  | 'useCases'
>;

/** The ports of pages that a test replaces. */
export interface ReplacedParts extends Partial<Omit<Parts, 'useCases'>> {
  readonly useCases?: Partial<PageUseCases>;
}

/** Returns the ports of pages in memory, on the repositories of a world. */
export function pagesInMemory(world: World, { useCases, ...parts }: ReplacedParts = {}): Parts {
  return {
    catalog: world.catalog,
    clock: world.clock,
    // The id of a form has the time at which the form was opened.
    ids: createSequentialTokenIds(world.clock),
    isMailSetUp: false,
    isProxyTrusted: false,
    pause: (milliseconds) => delay(milliseconds),
    onPageOf: (_, work) => work(),
    passwordSignIn: 'on',
    noteProviderSignIn: () => undefined,
    noteProviderLogOut: () => undefined,
    ...parts,
    useCases: { ...useCasesOn(world), ...useCases },
  };
}

function useCasesOn(world: World): PageUseCases {
  const folders: Folders = {
    ...{ ...accounts, ...audit, ...extensions, ...identityProviders, ...links, ...mail, ...organizations },
    ...{ ...secondFactor, ...services, ...sessions, ...tokenPolicy, ...tokens, ...users },
    ...webhooks,
  };
  const made = PAGE_USE_CASES.map((name) => [name, (folders[name] as (ports: World) => unknown)(world)]);
  return Object.fromEntries(made);
}
