import { setTimeout as delay } from 'node:timers/promises';
import * as sessions from '@gatehouse/domain/sessions';
import type { Clock } from '@gatehouse/domain/time';
import type { TokenIdGenerator } from '@gatehouse/domain/tokens';
import { CATALOG } from '@gatehouse/extensions';
import { type Made, type UseCases, useCasesIn } from '@gatehouse/installation';
import { onPageOf } from '@gatehouse/postgres';
import type { AppPorts } from '../app.ts';
import type { Settings } from '../settings/settings.ts';

interface PageServices {
  readonly clock: Clock;
  readonly useCases: UseCases;
  readonly sessions: Made<typeof SESSIONS>;
}

/** Composes the ports of pages; undefined if there are no pages. */
export function composePages(
  { PAGES }: Settings,
  ids: TokenIdGenerator,
  { clock, useCases, sessions }: PageServices,
): AppPorts['pages'] {
  if (PAGES === 'off') return undefined;
  return {
    catalog: CATALOG,
    clock,
    ids,
    pause: (milliseconds: number) => delay(milliseconds),
    useCases: { ...useCases, ...sessions },
    onPageOf,
  };
}

/** The use cases of sessions, which only servers have. Opening and finding one makes the caller who is asked for later. */
export const SESSIONS = {
  ...useCasesIn(sessions),
  openSession: sessions.openSession,
  findSession: sessions.findSession,
};
