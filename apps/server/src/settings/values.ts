import { BlockList, isIP } from 'node:net';
import { err, ok } from '@gatehouse/domain';
import { parseDuration } from '@gatehouse/domain/time';
import { setting, text, withoutBrackets } from '@gatehouse/installation/settings';

/** In milliseconds. */
export function duration(most: string) {
  const limit = parseDuration(most) ?? 0;
  return setting((written) => {
    const milliseconds = parseDuration(written);
    return milliseconds !== undefined && milliseconds <= limit
      ? ok(milliseconds)
      : err(`must be a duration such as 90s, 15m, 12h, 30d or 4w, and at most ${most}`);
  });
}

/** Splits at commas; spaces around them are ignored. */
const list = (written: string) => written.split(',').map((item) => item.trim());

export const origins = setting((written) => {
  const items = list(written);
  return items.every(isOrigin)
    ? ok(items)
    : err('must be origins such as https://app.example, with commas between them');
});

export const origin = text(
  'must be an origin such as https://gatehouse.example, without a path',
  (written) => isOrigin(written) && !written.includes('*'),
);

function isOrigin(item: string): boolean {
  return /^https?:/.test(item) && URL.canParse(item) && new URL(item).origin === item;
}

/** `off`, or the addresses and networks of trusted proxies. */
export const proxies = setting((written) => {
  if (written === 'off') return ok(undefined);
  const trusted = new BlockList();
  return list(written).every((item) => addNetwork(trusted, item))
    ? ok(trusted)
    : err('must be off, or IP addresses and networks such as 10.0.0.0/8, with commas between them');
});

function addNetwork(trusted: BlockList, item: string): boolean {
  const [written = '', prefix, ...more] = item.split('/');
  const address = withoutBrackets(written);
  const family = isIP(address);
  const bits = family === 6 ? 128 : 32;
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  if (family === 0 || more.length > 0 || !(length <= bits)) return false;
  trusted.addSubnet(address, length, family === 6 ? 'ipv6' : 'ipv4');
  return true;
}
