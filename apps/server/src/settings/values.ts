import { BlockList, isIP } from 'node:net';
import { parseDuration } from '@gatehouse/domain/time';
import { text, withoutBrackets } from '@gatehouse/installation/settings';
import { z } from 'zod';

/** In milliseconds. */
export function duration(most: string) {
  const limit = parseDuration(most) ?? 0;
  return z.string().transform((written, context) => {
    const milliseconds = parseDuration(written);
    if (milliseconds !== undefined && milliseconds <= limit) return milliseconds;
    context.addIssue({
      code: 'custom',
      message: `must be a duration such as 90s, 15m, 12h, 30d or 4w, and at most ${most}`,
    });
    return z.NEVER;
  });
}

/** Splits at commas; spaces around them are ignored. */
const list = (written: string) => written.split(',').map((item) => item.trim());

export const origins = text(
  'must be origins such as https://app.example, with commas between them',
  (written) => list(written).every(isOrigin),
).transform(list);

export const origin = text(
  'must be an origin such as https://gatehouse.example, without a path',
  (written) => isOrigin(written) && !written.includes('*'),
);

function isOrigin(item: string): boolean {
  return /^https?:/.test(item) && URL.canParse(item) && new URL(item).origin === item;
}

/** `off`, or the addresses and networks of trusted proxies. */
export const proxies = z.string().transform((written, context) => {
  if (written === 'off') return undefined;
  const trusted = new BlockList();
  if (list(written).every((item) => addNetwork(trusted, item))) return trusted;
  context.addIssue({
    code: 'custom',
    message: 'must be off, or IP addresses and networks such as 10.0.0.0/8, with commas between them',
  });
  return z.NEVER;
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
