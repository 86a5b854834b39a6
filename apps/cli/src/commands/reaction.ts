import { ok } from '@gatehouse/domain';
import { defineChange, defineList, defineSteps } from '../described/kinds.ts';
import { unwrap } from '../errors/refusals.ts';
import { DELIVERY_ID, REACTION_NAME, REACTION_POSITION } from '../input/parsers.ts';
import { counted } from '../views/count.ts';
import { reactionView, shownReactionView } from '../views/reaction-view.ts';

/** The number of stuck events that are shown. */
const SHOWN = 100;

const NAME = { ...REACTION_NAME, description: "The reaction's name" } as const;

const ID = {
  ...DELIVERY_ID,
  description: 'The id that `gatehouse reaction show` prints for the event',
} as const;

const reactionList = defineList({
  verb: 'list',
  summary: 'List how far each reaction to audit events is, and what it waits for',
  notes: [
    'A reaction does something after an event of the audit log, such as to send it to a webhook. Events wait until they are handled. A parked event failed too often, and is not tried again by itself.',
  ],
  examples: ['gatehouse reaction list', 'gatehouse reaction list --json'],
  view: reactionView,
  run: async ({ listReactions }, caller) => ok([unwrap(await listReactions(caller))]),
});

const reactionShow = defineSteps({
  verb: 'show',
  summary: `Show a reaction, and up to ${SHOWN} of its events that are parked or tried again`,
  arguments: { name: NAME },
  examples: ['gatehouse reaction show webhooks', 'gatehouse reaction show webhooks --json'],
  prints: 'item',
  async steps({ showReaction }, caller, { name }, { printer }) {
    const { state, stuck } = unwrap(await showReaction(caller, { name, limit: SHOWN }));
    await printer.item({ ...state, stuck }, shownReactionView);
  },
});

const reactionRetry = defineChange({
  verb: 'retry',
  summary: 'Try a parked event again, or do not wait for the next try of a failed one',
  arguments: { name: NAME, id: ID },
  examples: ['gatehouse reaction retry webhooks 4711'],
  run: async ({ retryDelivery }, caller, input) => {
    unwrap(await retryDelivery(caller, input));
    return ok(input);
  },
  note: ({ id, name }) => `The event ${id} of the reaction ${name} is tried again.`,
  document: ({ name, id }) => ({ name, id }),
});

const reactionSkip = defineChange({
  verb: 'skip',
  summary: 'Give up a parked or failed event for good, so that the next one is handled',
  arguments: { name: NAME, id: ID },
  examples: ['gatehouse reaction skip webhooks 4711'],
  asks: {
    action: 'skip the event',
    question: 'This cannot be undone. Skip this event?',
    declined: 'The event was not skipped.',
    async facts({ showReaction }, caller, { name, id }) {
      const { stuck } = unwrap(await showReaction(caller, { name, limit: SHOWN }));
      const found = stuck.find((each) => each.id === id);
      return ok([
        found
          ? `The event at position ${found.position} (${found.event.action}) will never be handled. The last problem: ${found.problem}`
          : `The event ${id} will never be handled.`,
      ]);
    },
  },
  run: async ({ skipDelivery }, caller, input) => {
    unwrap(await skipDelivery(caller, input));
    return ok(input);
  },
  note: ({ id, name }) => `Skipped the event ${id} of the reaction ${name}.`,
  document: ({ name, id }) => ({ name, id }),
});

const reactionMove = defineChange({
  verb: 'move',
  summary: 'Let a reaction continue after another position of the audit log',
  arguments: { name: NAME },
  options: {
    to: {
      ...REACTION_POSITION,
      description:
        'The last position that it does not see; now, to see only new events; or start, to see all',
      required: true,
    },
  },
  notes: [
    'If you move it back, events are handled again: receivers recognize them by their positions. If you move it on, the events between are never handled. Events that wait already are handled in both cases. Events that `gatehouse audit prune` deleted are passed over.',
  ],
  examples: ['gatehouse reaction move webhooks --to 4711', 'gatehouse reaction move webhooks --to now'],
  asks: {
    action: 'move the reaction',
    question: 'Move this reaction?',
    declined: 'The reaction was not moved.',
    async facts({ showReaction }, caller, { name, to }) {
      const { state } = unwrap(await showReaction(caller, { name, limit: 1 }));
      const target = to === 'now' ? 'the end of the audit log' : `position ${to}`;
      return ok([
        `The reaction ${name} is at position ${state.position}, and will continue after ${target}.`,
      ]);
    },
  },
  run: async ({ moveReaction }, caller, { name, to }) => {
    const { position } = unwrap(await moveReaction(caller, { name, to }));
    return ok({ name, position });
  },
  note: ({ name, position }) => `The reaction ${name} continues after position ${position}.`,
  document: ({ name, position }) => ({ name, position }),
});

const reactionRemove = defineChange({
  verb: 'remove',
  summary: 'Delete a reaction that no server has now, with the events that wait for it',
  arguments: { name: NAME },
  notes: [
    'For the reaction of an extension that is no longer installed: until then, `gatehouse audit prune` keeps the events that it has not seen. If a server still has the reaction, it stores the reaction again at its next start, and only new events are handled then.',
  ],
  examples: ['gatehouse reaction remove shift-notes/handover'],
  asks: {
    action: 'remove the reaction',
    question: 'This cannot be undone. Remove this reaction?',
    declined: 'The reaction was not removed.',
    async facts({ showReaction }, caller, { name }) {
      const { state } = unwrap(await showReaction(caller, { name, limit: 1 }));
      const { waiting, parked, running } = state;
      return ok([
        ...(running ? ['A server runs this reaction now.'] : []),
        `${counted(waiting, 'waiting event')} and ${counted(parked, 'parked event')} will never be handled.`,
      ]);
    },
  },
  run: async ({ removeReaction }, caller, { name }) => {
    unwrap(await removeReaction(caller, name));
    return ok({ name });
  },
  note: ({ name }) => `Removed the reaction ${name}.`,
  document: ({ name }) => ({ name }),
});

export const commands = [
  reactionList,
  reactionShow,
  reactionRetry,
  reactionSkip,
  reactionMove,
  reactionRemove,
];
