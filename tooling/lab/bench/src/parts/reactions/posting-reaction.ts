// Loaded by the measured server.
import { byAccount, type Reaction, type ReactionName, USUAL_PLAN } from '@gatehouse/domain/reactions';

const { RECEIVER_URL = '' } = process.env;

/** A reaction that posts each event to another process, as webhooks do. */
export const postingReaction: Reaction = {
  name: 'posting' as ReactionName,
  on: 'all',
  plan: USUAL_PLAN,
  address: byAccount,
  async handle({ position, event }) {
    const body = JSON.stringify({ position, ...event });
    const response = await fetch(RECEIVER_URL, { method: 'POST', body });
    await response.text();
    return { kind: 'done' };
  },
};
