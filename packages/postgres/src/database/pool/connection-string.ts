/**
 * The URL of a database. If it is a function, it is called for each new connection, because credentials can be replaced
 * while a process runs. The function never throws.
 */
export type ConnectionString = string | (() => string);

/** Returns the URL for a connection that is opened now. */
export function currentUrl(url: ConnectionString): string {
  return typeof url === 'string' ? url : url();
}
