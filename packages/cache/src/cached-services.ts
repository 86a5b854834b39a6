import { andThen } from '@gatehouse/domain';
import type { Service, ServiceName, ServiceRepository } from '@gatehouse/domain/services';
import { type Coherence, createReadThrough } from './read-through.ts';

/** Stands for a change of any service. The name is empty, because the change log ignores which service has changed. */
const ANY_SERVICE = { kind: 'service', id: '' as ServiceName } as const;

/**
 * Answers `list` from memory while the change feed reports every change and no service has changed. The answer from memory
 * is not a promise, because gateways ask for each request. If the services are not in memory, concurrent requests share
 * one read of the database, because any client may send a made-up credential.
 */
export function createCachedServices<Services extends Pick<ServiceRepository, 'list'>>(
  services: Services,
  coherence: Coherence,
): Services {
  let held: readonly Service[] | undefined;
  coherence.feed.subscribe(({ kind }) => {
    if (kind === 'service' || kind === 'everything') held = undefined;
  });
  const list = createReadThrough<[], readonly Service[]>(coherence, {
    key: () => 'all',
    held: () => held,
    read: () => services.list(),
    outdatedBy: () => [ANY_SERVICE],
    keep(found) {
      held = found;
      return found;
    },
  });
  return { ...services, list: () => andThen(list(), (found = []) => found) };
}
