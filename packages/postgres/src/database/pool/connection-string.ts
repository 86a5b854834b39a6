/**
 * The URL of a database. A function is asked for each new connection, because credentials can be replaced while a process
 * runs; it never throws.
 */
export type ConnectionString = string | (() => string);

/** Returns the URL for a connection that is opened now. */
export function currentUrl(url: ConnectionString): string {
  return typeof url === 'string' ? url : url();
}
