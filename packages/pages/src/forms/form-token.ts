import { createHmac, timingSafeEqual } from 'node:crypto';
import type { UserId } from '@gatehouse/domain/users';

/**
 * The purposes for which keys are derived from the key of a session or, before there is one, from the secret of a cookie. A text
 * that was authenticated for one purpose is not accepted for another.
 */
type Purpose = 'form' | 'draft';

/** A MAC over texts. Only a holder of the key can make it, and no server stores anything for it. */
export function authenticate(key: string, purpose: Purpose, texts: readonly string[]): string {
  const derived = createHmac('sha256', key).update(`gatehouse ${purpose}`).digest();
  return createHmac('sha256', derived).update(JSON.stringify(texts)).digest('base64url');
}

export function isAuthentic(mac: string, key: string, purpose: Purpose, texts: readonly string[]): boolean {
  return isSame(mac, authenticate(key, purpose, texts));
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** The purpose of a form's token, which is not accepted for another. */
export interface FormPurpose {
  /** The path that the form is sent to. */
  readonly path: string;
  /** Distinguishes forms that are sent to the same path. */
  readonly target?: string | undefined;
  /** The user; undefined before the sign-in. */
  readonly user?: UserId;
}

/**
 * The token of a form. No other site can make it, so no other site can send the form. The token of a user begins with the
 * user's id: the typed values are shown to no other user, even if the session has ended.
 */
export function formToken(key: string, { path, target = '', user }: FormPurpose): string {
  if (user === undefined) return authenticate(key, 'form', [path, target]);
  return `${user}.${authenticate(key, 'form', [path, target, String(user)])}`;
}

export function isFormToken(token: string, key: string, purpose: FormPurpose): boolean {
  return isSame(token, formToken(key, purpose));
}

/** Returns the user that a token names. The token need not be authentic. */
export function userOfForm(token: string): UserId | undefined {
  const [, user] = /^([1-9]\d{0,14})\./.exec(token) ?? [];
  return user === undefined ? undefined : (Number(user) as UserId);
}
