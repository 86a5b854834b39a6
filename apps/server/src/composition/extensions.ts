import { setTimeout as delay } from 'node:timers/promises';
import type { createReadCaches } from '@gatehouse/cache';
import { UnavailableFault } from '@gatehouse/domain';
import type { ExtensionPorts } from '@gatehouse/extension-kit';
import { onBehalf } from '@gatehouse/postgres';
import type { ExtensionRoutes } from '../extension-routes.ts';
import type { Environment } from './environment.ts';

/** The time limit for a route of an extension, in milliseconds. */
const ANSWER_WITHIN_MS = 10_000;

interface ExtensionServices extends Omit<ExtensionPorts<unknown>, 'store'> {
  readonly caches: Pick<ReturnType<typeof createReadCaches>, 'rememberRows'>;
}

/** Composes the routes of the extensions, each on its part of the database and of the caches. */
export function composeExtensions(
  { database, extensions }: Pick<Environment, 'database' | 'extensions'>,
  { organizations, clock, caches }: ExtensionServices,
): readonly ExtensionRoutes[] {
  return extensions.map(({ createRoutes }) => ({
    routes: createRoutes({ database, organizations, clock, remember: caches.rememberRows }),
    deadline: (settled) => failAfter(ANSWER_WITHIN_MS, settled),
    onBehalfOf: onBehalf.ofUser,
  }));
}

async function failAfter(milliseconds: number, signal: AbortSignal): Promise<never> {
  await delay(milliseconds, undefined, { signal });
  throw new UnavailableFault(`no answer within ${milliseconds} ms`);
}
