import type { ReactionState, StuckDelivery } from '@gatehouse/domain/reactions';
import { formatInstantOrNull } from '@gatehouse/domain/time';
import { type Column, shortTime, type View } from '@gatehouse/extension-kit/cli';
import { stateColumn } from '../output/style.ts';
import { createTable } from '../output/table.ts';
import type { ItemView } from '../output/view.ts';
import { wrap } from '../output/wrap.ts';
import { counted } from './count.ts';
import { documentOf } from './document.ts';

export const reactionView: View<ReactionState> = {
  document: (state) => ({
    ...documentOf(state, 'name', 'running', 'position', 'waiting'),
    waiting_since: formatInstantOrNull(state.waitingSince),
    ...documentOf(state, 'failing', 'parked'),
  }),
  empty: 'There are no reactions. Servers store their reactions when they start.',
  columns: [
    { title: 'NAME', value: ({ name }) => name, essential: true },
    stateColumn(({ running }) => (running ? 'running' : 'not running')),
    { title: 'POSITION', value: ({ position }) => String(position), essential: true },
    { title: 'WAITING', value: ({ waiting }) => String(waiting), essential: true },
    { title: 'SINCE', value: ({ waitingSince }) => shortTime(waitingSince) },
    { title: 'FAILING', value: ({ failing }) => String(failing), essential: true },
    { title: 'PARKED', value: ({ parked }) => String(parked), essential: true },
  ],
};

interface ShownReaction extends ReactionState {
  readonly stuck: readonly StuckDelivery[];
}

const STUCK: readonly Column<StuckDelivery>[] = [
  { title: 'ID', value: ({ id }) => String(id), essential: true },
  { title: 'POSITION', value: ({ position }) => String(position), essential: true },
  { title: 'ACTION', value: ({ event }) => event.action, essential: true },
  { title: 'LANE', value: ({ lane }) => lane },
  { title: 'TRIES', value: ({ tries }) => String(tries), essential: true },
  {
    title: 'NEXT TRY',
    value: ({ parkedAt, nextAt }) => (parkedAt === null ? shortTime(nextAt) : 'parked'),
    essential: true,
  },
  { title: 'PROBLEM', value: ({ problem }) => problem, essential: true, flexible: true },
];

/** Shows one reaction, and its events that are parked or tried again. */
export const shownReactionView: ItemView<ShownReaction> = {
  document: (reaction) => ({
    ...reactionView.document(reaction),
    stuck: reaction.stuck.map((each) => ({
      ...documentOf(each, 'id', 'position'),
      action: each.event.action,
      ...documentOf(each, 'lane', 'tries', 'problem', 'nextAt', 'parkedAt'),
    })),
  }),
  columns: reactionView.columns,
  below: ({ failing, parked, stuck }, table) => {
    if (stuck.length === 0) return `${wrap('No event is parked or failing.', table.width)}\n`;
    const more = failing + parked - stuck.length;
    const rest = more > 0 ? `${wrap(`${counted(more, 'more event')} not shown.`, table.width)}\n` : '';
    return createTable(STUCK, table).rows(stuck) + rest;
  },
};
