import { createHmac, timingSafeEqual } from 'node:crypto';
import type { UserId } from '@gatehouse/domain/users';

/** The purpose of a MAC. The server does not accept a MAC that was made for another purpose. */
type Purpose = 'form' | 'draft';

/**
 * Returns a MAC of texts. Only a holder of the key can make this MAC, so a server recognizes texts that it wrote
 * without storing them.
 */
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

/** The form that a form token is valid for. The server does not accept the token with another form. */
export interface FormPurpose {
  /** The path to which the form is sent. */
  readonly path: string;
  /** Distinguishes forms that are sent to the same path. */
  readonly target?: string | undefined;
  /** The signed-in user; undefined for the sign-in form. */
  readonly user?: UserId;
}

/**
 * Makes the token of a form. Other sites cannot make this token, so they cannot send the form. The token begins with
 * the id of the user. The server therefore knows who typed the values of a form whose session has ended, and shows
 * these values to no other user.
 */
export function formToken(key: string, { path, target = '', user }: FormPurpose): string {
  if (user === undefined) return authenticate(key, 'form', [path, target]);
  return `${user}.${authenticate(key, 'form', [path, target, String(user)])}`;
}

export function isFormToken(token: string, key: string, purpose: FormPurpose): boolean {
  return isSame(token, formToken(key, purpose));
}

/** Returns the user whom a form token names, without verifying the token; undefined if the token names no user. */
export function userOfForm(token: string): UserId | undefined {
  const [, user] = /^([1-9]\d{0,14})\./.exec(token) ?? [];
  return user === undefined ? undefined : (Number(user) as UserId);
}
