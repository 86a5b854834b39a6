import type { Ports } from '../ports.ts';
import type { ReactionState } from '../reactions/reaction-repository.ts';
import { waitsSince } from '../reactions/sealed-events.ts';
import { formatInstant } from '../time/instant.ts';
import { defineCheck, outcomeOf } from './check.ts';

/** The longest time that an event normally waits for a reaction, in milliseconds. */
const LATE_MS = 600_000;

/** Reports reactions that no server runs, and events that wait too long or were given up. */
export const reactionsCheck = defineCheck({
  id: 'reactions',
  passed: 'Every reaction to audit events is up to date.',
  name: 'the reactions to audit events',
  async run(ports: Ports<'reactions' | 'auditSeals' | 'clock'>) {
    const states = await ports.reactions.list();
    const found = await Promise.all(states.map((state) => findingsOfReaction(ports, state)));
    return outcomeOf(found.flat());
  },
  findings: {
    reaction_not_run: ({ reaction, since }) => ({
      message: `No server runs the reaction ${reaction}. Events of the audit log wait for it since ${formatInstant(since)}.`,
      remedy: `Start a server that has the reaction. If it belongs to an extension that is no longer installed, run \`gatehouse reaction remove ${reaction}\`.`,
    }),
    reaction_late: ({ reaction, since }) => ({
      message: `The reaction ${reaction} is late: an event waits since ${formatInstant(since)}.`,
      remedy: `\`gatehouse reaction show ${reaction}\` shows which events fail, and why. Correct the reason: Gatehouse tries them again by itself.`,
    }),
    reaction_parked: ({ reaction, parked }) => ({
      message: `The reaction ${reaction} gave up ${parked === 1 ? 'an event' : `${parked} events`} after the last try.`,
      remedy: `\`gatehouse reaction show ${reaction}\` shows them, and why they failed. Correct the reason and run \`gatehouse reaction retry ${reaction} ID\`, or give them up with \`gatehouse reaction skip ${reaction} ID\`.`,
    }),
  },
});

async function findingsOfReaction(ports: Ports<'auditSeals' | 'clock'>, state: ReactionState) {
  const { name: reaction, parked, running } = state;
  const since = await waitsSince(ports, state);
  const isLate = since !== null && since <= ports.clock.now() - LATE_MS;
  const code = running ? ({ code: 'reaction_late' } as const) : ({ code: 'reaction_not_run' } as const);
  return [
    ...(isLate ? [{ ...code, reaction, since }] : []),
    ...(parked > 0 ? [{ code: 'reaction_parked' as const, reaction, parked }] : []),
  ];
}
