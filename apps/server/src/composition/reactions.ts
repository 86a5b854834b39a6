import type { Reaction } from '@gatehouse/domain/reactions';
import { createWebhookReaction } from '@gatehouse/domain/webhooks';
import { CATALOG } from '@gatehouse/extensions';
import type { RunningServer } from '../container.ts';
import type { Environment } from './environment.ts';

type ReactionServices = Pick<
  RunningServer,
  'repositories' | 'clock' | 'encryption' | 'webhookSecrets' | 'webhookSender' | 'webhookMetrics' | 'mailing'
>;

/** The reactions that this server runs: those of Gatehouse, and then those of extensions. */
export function createReactions(
  { extensions, database }: Pick<Environment, 'extensions' | 'database'>,
  services: ReactionServices,
): readonly Reaction[] {
  const { repositories, clock, webhookMetrics, mailing } = services;
  const { organizations, webhooks } = repositories;
  const ports = { database, organizations, clock };
  return [
    createWebhookReaction({ ...services, webhooks, noteAttempt: webhookMetrics.count }),
    ...(mailing ? [mailing.reaction] : []),
    ...extensions.flatMap(({ createReactions: ofExtension }) => ofExtension(ports, CATALOG.actions)),
  ];
}
