import { isIP } from 'node:net';
import { groupsOf } from '@gatehouse/domain';

/** An IP address without its zone. */
export interface Address {
  readonly family: 'ipv4' | 'ipv6';
  readonly text: string;
}

/** Reads an IP address in a spelling that Node accepts, maybe in brackets; undefined for names. */
export function addressOf(host: string): Address | undefined {
  const text = host.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/s, '');
  const version = isIP(text);
  if (version === 0) return undefined;
  return { family: version === 4 ? 'ipv4' : 'ipv6', text };
}

/**
 * Returns the IPv4 addresses to which traffic for an IPv6 address may be led: those that it contains because it is
 * mapped (RFC 4291), translated (RFC 2765, RFC 6052, RFC 8215), or of a tunnel (6to4: RFC 3056, Teredo: RFC 4380, ISATAP:
 * RFC 5214).
 */
export function ipv4Within({ family, text }: Address): readonly Address[] {
  if (family === 'ipv4') return [];
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groupsOf(text) ?? [];
  const isZero = (...groups: readonly number[]) => groups.every((group) => group === 0);
  const isTranslated = a === 0x64 && b === 0xff_9b && (c === 1 || isZero(c, d, e, f));
  const isMapped = isZero(a, b, c, d) && (isZero(e) ? f === 0xff_ff || f === 0 : e === 0xff_ff && f === 0);
  const isIsatap = (e === 0 || e === 0x2_00) && f === 0x5e_fe;
  return [
    ...(isTranslated || isMapped || isIsatap ? [ipv4(g, h)] : []),
    ...(a === 0x20_02 ? [ipv4(b, c)] : []),
    // The server of the tunnel, and the client, whose bits are inverted.
    ...(a === 0x20_01 && b === 0 ? [ipv4(c, d), ipv4(g ^ 0xff_ff, h ^ 0xff_ff)] : []),
  ];
}

const ipv4 = (high: number, low: number): Address => ({
  family: 'ipv4',
  text: [high >> 8, high & 255, low >> 8, low & 255].join('.'),
});
