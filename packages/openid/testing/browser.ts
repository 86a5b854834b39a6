import type { Query } from '@gatehouse/domain/identity-providers';

/** Follows redirects as a browser, with its cookies, until the provider sends it back to the redirect URI. */
export async function follow(
  address: string,
  redirectUri: string,
  headers: Readonly<Record<string, string>>,
): Promise<Query> {
  const cookies = new Map<string, string>();
  for (let next = address; ; ) {
    if (next.startsWith(redirectUri)) return new URL(next).searchParams;
    const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(next, { redirect: 'manual', headers: { ...headers, cookie } });
    for (const each of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`${next} answers with ${answer.status}: ${await answer.text()}`);
    next = new URL(location, next).href;
  }
}
