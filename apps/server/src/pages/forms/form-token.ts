import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The purposes for which keys are derived from a secret of a cookie. A text that was authenticated for one is worth nothing for
 * another.
 */
type Purpose = 'form' | 'draft';

/** A MAC over texts that only a holder of the cookie's secret can make; nothing is kept for it. */
export function authenticate(secret: string, purpose: Purpose, texts: readonly string[]): string {
  const key = createHmac('sha256', secret).update(`gatehouse ${purpose}`).digest();
  return createHmac('sha256', key).update(JSON.stringify(texts)).digest('base64url');
}

export function isAuthentic(
  mac: string,
  secret: string,
  purpose: Purpose,
  texts: readonly string[],
): boolean {
  const expected = Buffer.from(authenticate(secret, purpose, texts));
  const given = Buffer.from(mac);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/**
 * The token of a form: no other site can send the form, because none can make its token.
 *
 * @param path to which the form is sent
 * @param target what the form is about, where several forms are sent to one path
 */
export function formToken(secret: string, path: string, target = ''): string {
  return authenticate(secret, 'form', [path, target]);
}

export function isFormToken(token: string, secret: string, path: string, target: string): boolean {
  return isAuthentic(token, secret, 'form', [path, target]);
}
