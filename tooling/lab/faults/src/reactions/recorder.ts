// Loaded by the servers under test.
import { byAccount, type Reaction, type ReactionName, USUAL_PLAN } from '@gatehouse/domain/reactions';
import type { Told } from './receiver.ts';

const { env, pid } = process;
const { RECEIVER_URL = '' } = env;

/** Tells the receiver, which may kill this process instead of answering. */
async function tell(told: Told): Promise<void> {
  const body = JSON.stringify(told);
  const response = await fetch(RECEIVER_URL, { method: 'POST', body });
  if (!response.ok) throw new Error(`status ${response.status}`);
}

/** A reaction that writes each event into another process. It never gives up, and tries again soon. */
export const recorder: Reaction = {
  name: 'recorder' as ReactionName,
  on: 'all',
  plan: { ...USUAL_PLAN, tries: 1_000_000, firstPauseMs: 50, longestPauseMs: 200 },
  async address(events) {
    await tell({ pid, kind: 'addressing' });
    return byAccount(events);
  },
  async handle({ position, lane, event: { details } }) {
    const serial = Number(details.serial ?? 0);
    await tell({ pid, kind: 'event', position, lane, serial });
    return { kind: 'done' };
  },
};
