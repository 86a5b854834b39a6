import type { Repositories } from '@gatehouse/domain';
import type { Reaction } from '@gatehouse/domain/reactions';
import type { Clock } from '@gatehouse/domain/time';
import { CATALOG } from '@gatehouse/extensions';
import type { RunningServer } from '../container.ts';
import type { Environment } from './environment.ts';

interface ReactionServices extends Pick<RunningServer, 'mailing'> {
  readonly repositories: Repositories;
  readonly clock: Clock;
}

/** The reactions that this server runs: those of Gatehouse, and then those of extensions. */
export function createReactions(
  { extensions, database }: Pick<Environment, 'extensions' | 'database'>,
  { repositories: { organizations }, clock, mailing }: ReactionServices,
): readonly Reaction[] {
  const ports = { database, organizations, clock };
  return [
    ...(mailing ? [mailing.reaction] : []),
    ...extensions.flatMap(({ createReactions: ofExtension }) => ofExtension(ports, CATALOG.actions)),
  ];
}
