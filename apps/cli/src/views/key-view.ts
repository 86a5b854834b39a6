import type { KeyReport, SigningKey } from '@gatehouse/domain/signing-keys';
import { formatInstantOrNull } from '@gatehouse/domain/time';
import { shortTime, type View } from '@gatehouse/extension-kit/cli';
import { stateColumn } from '../output/style.ts';
import { counted } from './count.ts';
import { documentOf } from './document.ts';
import { timeColumn } from './time.ts';

/** Returns the JSON document of a signing key, without the number of its tokens. */
export const keyDocument = (key: SigningKey) =>
  documentOf(key, 'id', 'format', 'state', 'createdAt', 'activatedAt', 'retiredAt');

export const keyView: View<KeyReport> = {
  document: ({ key, live, retirableAt }) => ({
    ...keyDocument(key),
    live_tokens: live.count,
    retirable_at: formatInstantOrNull(retirableAt),
  }),
  empty:
    'There are no signing keys yet. To create the first key, start a server or run `gatehouse key create`.',
  columns: [
    { title: 'ID', value: ({ key }) => key.id, essential: true, folds: true },
    { title: 'FORMAT', value: ({ key }) => key.format, essential: true },
    stateColumn(({ key }) => key.state),
    timeColumn('CREATED', ({ key }) => key.createdAt),
    timeColumn('ACTIVATED', ({ key }) => key.activatedAt),
    { title: 'LIVE TOKENS', value: ({ live }) => String(live.count), essential: true },
    { title: 'CAN RETIRE', value: canRetire, essential: true },
  ],
};

function canRetire({ key, live, retirableAt, at }: KeyReport): string {
  if (key.state === 'retired') return `retired ${shortTime(key.retiredAt)}`;
  if (key.state !== 'verify-only') return '-';
  if (retirableAt === null) return `no: ${counted(live.withoutExpiry, 'token')} without expiry`;
  return retirableAt <= at ? 'now' : `from ${shortTime(retirableAt)}`;
}
