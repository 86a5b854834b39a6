import type { UserId } from '@gatehouse/domain/users';
import { type Fields, type FieldValues, isSecret } from '../elements/form.ts';
import { MAX_COOKIE_VALUE_LENGTH } from '../http/cookies.ts';
import { authenticate, isAuthentic } from './form-token.ts';

/**
 * The values that a user typed into a form whose session had ended. The form shows them again after the next sign-in.
 */
export interface Draft {
  /** The path and the query of the form's page. */
  readonly path: string;
  readonly values: DraftValues;
  /** The user who typed the values. The server shows the values to no other user. */
  readonly user: UserId;
}

type DraftValues = Readonly<Record<string, string | readonly string[]>>;

/** Returns the values of a form without its passwords and codes. */
export function withoutSecrets<F extends Fields>(fields: F, values: FieldValues<F>): DraftValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !isSecret(fields[name] ?? {})));
}

/**
 * Writes a draft as text, with a MAC that only a holder of the key can make. Returns undefined if the text is too long
 * for a cookie.
 */
export function sealDraft({ path, values, user }: Draft, key: string): string | undefined {
  const written = Buffer.from(JSON.stringify([path, values, user])).toString('base64url');
  const sealed = `${written}.${authenticate(key, 'draft', [written])}`;
  return sealed.length <= MAX_COOKIE_VALUE_LENGTH ? sealed : undefined;
}

/** Reads a draft that `sealDraft` wrote; undefined if the MAC was made with another key. */
export function openDraft(sealed: string | undefined, key: string): Draft | undefined {
  const [written = '', mac = '', ...more] = sealed?.split('.') ?? [];
  if (more.length > 0 || !isAuthentic(mac, key, 'draft', [written])) return undefined;
  return parseDraft(Buffer.from(written, 'base64url').toString());
}

/**
 * Parses a draft, and checks that it has the expected members. A valid MAC does not prove this: users know the secrets
 * in their own cookies, and can make a MAC for any text.
 */
function parseDraft(text: string): Draft | undefined {
  try {
    const [path, values, user]: unknown[] = JSON.parse(text);
    return typeof path === 'string' &&
      typeof values === 'object' &&
      values !== null &&
      typeof user === 'number'
      ? { path, values: values as DraftValues, user: user as UserId }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the values of these fields. The draft may have other fields if another version of the page made it. */
export function draftValues<F extends Fields>(fields: F, { values }: Draft): FieldValues<F> {
  const entries = Object.entries(fields).map(([name, { type }]) => {
    const value = values[name];
    if (type === 'checkbox') return [name, Array.isArray(value) ? value : []];
    return [name, type !== 'password' && typeof value === 'string' ? value : ''];
  });
  return Object.fromEntries(entries);
}
