import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@gatehouse/domain/time';
import type { TokenIdGenerator } from '@gatehouse/domain/tokens';
import { CATALOG } from '@gatehouse/extensions';
import type { UseCases } from '@gatehouse/installation';
import { onPageOf } from '@gatehouse/postgres';
import type { AppPorts } from '../app.ts';
import type { SessionUseCases } from '../sessions/session-use-cases.ts';
import type { Settings } from '../settings/settings.ts';

interface PageServices {
  readonly clock: Clock;
  readonly useCases: UseCases;
  readonly sessions: SessionUseCases;
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
