import type { ServiceName } from '@gatehouse/domain/services';
import type { Instant } from '@gatehouse/domain/time';
import type {
  AddressOfRefusal,
  AddressOfUse,
  TokenWithHistory,
  UseAtService,
} from '@gatehouse/domain/tokens';
import { type Column, shortTime } from '@gatehouse/extension-kit/cli';
import { createTable, type TableOptions } from '../output/table.ts';
import { counted } from './count.ts';
import { documentOf } from './document.ts';
import { timeAgo } from './time.ts';

export const addressDocument = (address: AddressOfUse) => ({
  ...documentOf(address, 'address', 'firstAt', 'lastAt'),
  about_times: address.times,
});

export const useAtServiceDocument = ({ isReported: reported, ...use }: UseAtService) => ({
  ...documentOf(use, 'service', 'lastAt', 'from'),
  reported,
});

/**
 * Formats the services at which a token was used, and the addresses of its uses and of its refusals, as tables. Each is
 * followed by an empty line. Empty tables are left out.
 */
export function addressTables(
  { usage: { usedAt, usedFrom, refusedFrom }, at }: TokenWithHistory,
  table: TableOptions,
): string {
  const services = usedAt.length > 0 && createTable(servicesUntil(at), table).rows(usedAt);
  const used = addressTable('USED FROM', usedFrom, at, table);
  const refusals = [...columns<AddressOfRefusal>('REFUSED FROM', at), REASON];
  const refused = refusedFrom.length > 0 && createTable(refusals, table).rows(refusedFrom);
  const [atServices, refusedFromRows] = [services, refused].map((rows) => (rows ? `${rows}\n` : ''));
  return [atServices, used, refusedFromRows].join('');
}

/** Formats addresses of use as a table, followed by an empty line; an empty text if there are none. */
export function addressTable(
  title: string,
  addresses: readonly AddressOfUse[],
  now: Instant,
  table: TableOptions,
): string {
  if (addresses.length === 0) return '';
  return `${createTable(columns<AddressOfUse>(title, now), table).rows(addresses)}\n`;
}

/** For the columns LAST USED and LAST REFUSED: the value, followed by the client's address if the address is known. */
export const VALUES_WITH_ADDRESS: Readonly<Record<string, (token: TokenWithHistory) => string>> = {
  'LAST USED': ({ usage, at }) => timeAgo(usage.lastUsedAt, at) + from(usage.lastUsedFrom),
  'LAST REFUSED': ({ usage: { lastRefusal }, at }) =>
    lastRefusal
      ? `${timeAgo(lastRefusal.at, at)}${from(lastRefusal.from)}${reportedBy(lastRefusal.reportedBy)}: ${lastRefusal.reason}`
      : '-',
};

/** Names the service that reported a use or a refusal; an empty text if no service did. */
export function reportedBy(service: ServiceName | undefined): string {
  return service === undefined ? '' : ` (reported by ${service})`;
}

function from(address: string | null): string {
  return address === null ? '' : ` from ${address}`;
}

const servicesUntil = (now: Instant): readonly Column<UseAtService>[] => [
  { title: 'USED AT SERVICE', value: ({ service }) => service },
  {
    title: 'LAST',
    value: ({ service, lastAt, isReported }) =>
      timeAgo(lastAt, now) + reportedBy(isReported ? service : undefined),
  },
  { title: 'FROM', value: ({ from }) => from ?? '-' },
];

const REASON: Column<AddressOfRefusal> = { title: 'LAST REASON', value: ({ reason }) => reason };

function columns<Address extends AddressOfUse>(title: string, now: Instant): readonly Column<Address>[] {
  return [
    { title, value: ({ address }) => address },
    { title: 'LAST', value: ({ lastAt }) => timeAgo(lastAt, now) },
    { title: 'FIRST', value: ({ firstAt }) => shortTime(firstAt) },
    { title: 'ABOUT', value: ({ times }) => counted(times, 'time') },
  ];
}
