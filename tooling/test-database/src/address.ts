/** Returns the address in a database URL for `net.connect`: a port, or a socket if the host is a folder. */
export function addressOf(
  url: string,
): { readonly path: string } | { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(url);
  const host = decodeURIComponent(hostname);
  return host.startsWith('/')
    ? { path: `${host}/.s.PGSQL.${port || 5432}` }
    : { host, port: Number(port || 5432) };
}
