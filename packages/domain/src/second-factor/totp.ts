import type { Instant } from '../time/instant.ts';

/** The length of a step in milliseconds (RFC 6238 section 5.2). Apps assume 30 seconds. */
export const TOTP_STEP_MS = 30_000;

/** The number of digits of a code. Apps assume 6. */
export const TOTP_DIGITS = 6;

/** The length of the secret in bytes, that of a SHA-1 (RFC 4226 section 4). */
export const TOTP_SECRET_BYTES = 20;

/** How many steps the clock of the app may be behind or ahead. */
const TOLERATED_STEPS = 1;

/** The number of the step at this time, from 1970. */
export const totpStep = (now: Instant): number => Math.floor(now / TOTP_STEP_MS);

/** Returns the steps whose codes are accepted at this time, the oldest first. */
export function acceptedSteps(now: Instant): readonly number[] {
  const current = totpStep(now);
  return Array.from({ length: 2 * TOLERATED_STEPS + 1 }, (_, index) => current - TOLERATED_STEPS + index);
}

/** Parses a code as a person types it, such as `123 456`. */
export function parseTotpCode(text: string): string | undefined {
  const digits = text.replaceAll(/[\s-]/g, '');
  return digits.length === TOTP_DIGITS && /^\d+$/.test(digits) ? digits : undefined;
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Writes a secret as base32 without padding (RFC 4648 section 6), as apps expect it. */
export function base32(secret: Uint8Array): string {
  const bits = [...secret].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => BASE32[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

/**
 * The address that an app reads from a QR code. Algorithm, digits and period are the defaults, and are named for apps
 * that have others. @param installation the name under which the app lists the entry
 */
export function otpauthUri(installation: string, email: string, secret: string): string {
  // A colon separates the two parts of the label.
  const issuer = installation.replaceAll(':', ' ');
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`;
  const query = `secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${TOTP_DIGITS}&period=${TOTP_STEP_MS / 1000}`;
  return `otpauth://totp/${label}?${query}`;
}
