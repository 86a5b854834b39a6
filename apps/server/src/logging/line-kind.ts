/**
 * The subject of a log line, in its field `kind`: buffers, counts, alerts and tests tell lines apart by it, and
 * never by their messages, which may be reworded. docs/operate/monitoring.md lists the kinds to alert on.
 */
export type LineKind =
  // Written for requests.
  | 'request'
  | 'sign_in'
  | 'refused'
  | 'unavailable'
  | 'request_failed'
  // Written about the life of the process.
  | 'serving'
  | 'stopping'
  | 'stopped'
  | 'feed_trusted'
  | 'feed_untrusted'
  // The following kinds are problems that operators have to know.
  | 'lines_lost'
  | 'connections_closed'
  | 'connections_reduced'
  | 'no_open_file'
  | 'failover_undetected'
  | 'clock_differs'
  | 'sessions_not_deleted'
  | 'addresses_not_deleted'
  | 'audit_not_sealed'
  | 'worker_ended'
  | 'master_key_replaced';

/** The facts of a line. Few lines have no kind. */
interface Facts {
  readonly kind?: LineKind;
  readonly [fact: string]: unknown;
}

interface WriteLine {
  (facts: Facts, message: string): void;
  (message: string): void;
}

/** The methods of pino's log, with typed kinds. */
export type Log = Readonly<Record<'debug' | 'info' | 'warn' | 'error' | 'fatal', WriteLine>>;

/** Returns the kind of a line, given its facts. Few lines have none. */
export function kindOf(facts: object | undefined): unknown {
  return facts && 'kind' in facts ? facts.kind : undefined;
}
