import type { KeyReport, SigningKey } from '@gatehouse/domain/signing-keys';
import { formatInstant } from '@gatehouse/domain/time';
import type { View } from '../output/printer.ts';
import { stateStyle } from '../output/style.ts';
import { shortTime, timeOrNull } from './time.ts';

/** A key as programs read it, without what rests on it. */
export function keyDocument({ id, format, state, createdAt, activatedAt, retiredAt }: SigningKey) {
  return {
    id,
    format,
    state,
    created_at: formatInstant(createdAt),
    activated_at: timeOrNull(activatedAt),
    retired_at: timeOrNull(retiredAt),
  };
}

export const keyView: View<KeyReport> = {
  document: ({ key, live, retirableAt }) => ({
    ...keyDocument(key),
    live_tokens: live.count,
    retirable_at: timeOrNull(retirableAt),
  }),
  columns: [
    { title: 'ID', value: ({ key }) => key.id },
    { title: 'FORMAT', value: ({ key }) => key.format },
    { title: 'STATE', value: ({ key }) => key.state, style: ({ key }) => stateStyle(key.state) },
    { title: 'CREATED', value: ({ key }) => shortTime(key.createdAt) },
    { title: 'ACTIVATED', value: ({ key }) => shortTime(key.activatedAt) },
    { title: 'LIVE TOKENS', value: ({ live }) => String(live.count) },
    { title: 'CAN RETIRE', value: canRetire },
  ],
};

function canRetire({ key, live, retirableAt, at }: KeyReport): string {
  if (key.state === 'retired') return `retired ${shortTime(key.retiredAt)}`;
  if (key.state !== 'verify-only') return '-';
  if (retirableAt === null) return `never by itself: ${live.withoutExpiry} without expiry`;
  return retirableAt <= at ? 'now' : `from ${shortTime(retirableAt)}`;
}
