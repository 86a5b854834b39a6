import { formatInstant, type SigningKey } from '@gatehouse/domain';
import type { View } from '../output/printer.ts';
import { shortTime, timeOrNull } from './time.ts';

export const keyView: View<SigningKey> = {
  document: ({ id, format, state, createdAt, activatedAt, retiredAt }) => ({
    id,
    format,
    state,
    created_at: formatInstant(createdAt),
    activated_at: timeOrNull(activatedAt),
    retired_at: timeOrNull(retiredAt),
  }),
  columns: [
    { title: 'ID', value: ({ id }) => id },
    { title: 'FORMAT', value: ({ format }) => format },
    { title: 'STATE', value: ({ state }) => state },
    { title: 'CREATED', value: ({ createdAt }) => shortTime(createdAt) },
    { title: 'ACTIVATED', value: ({ activatedAt }) => shortTime(activatedAt) },
  ],
};
