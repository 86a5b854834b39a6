const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

/**
 * Parses the address of a provider, or of one of its endpoints. It needs https. Plain http is for the machine itself only,
 * where no other machine can read or change what is sent.
 *
 * @param issuer the issuer that named the address. Only an issuer with http may name an endpoint with http
 */
export function parseSafeAddress(text: unknown, issuer = text): URL | undefined {
  if (typeof text !== 'string' || text.length > 2000) return undefined;
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || url.hash !== '') return undefined;
  if (url.protocol === 'https:') return url;
  const isLocal = url.protocol === 'http:' && LOOPBACK.test(url.hostname);
  return isLocal && `${issuer}`.startsWith('http:') ? url : undefined;
}
