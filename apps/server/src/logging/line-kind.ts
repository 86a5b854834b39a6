/**
 * The subject of a log line, in the line's field `kind`. Code, alerts and tests use `kind` to recognize a line, because
 * messages may be reworded. docs/operate/monitoring.md lists the kinds to alert on.
 */
export type LineKind =
  // Written for requests.
  | 'request'
  | 'sign_in'
  | 'provider_sign_in'
  | 'provider_log_out'
  | 'refused'
  | 'unavailable'
  | 'request_failed'
  // Written when the process starts or stops, and when the state of the change feed changes.
  | 'serving'
  | 'stopping'
  | 'stopped'
  | 'feed_trusted'
  | 'feed_untrusted'
  // Problems that operators have to know about.
  | 'lines_lost'
  | 'connections_closed'
  | 'connections_reduced'
  | 'no_open_file'
  | 'failover_undetected'
  | 'clock_differs'
  | 'attempts_not_deleted'
  | 'digests_not_sent'
  | 'sessions_not_deleted'
  | 'addresses_not_deleted'
  | 'time_events_not_recorded'
  | 'audit_not_sealed'
  | 'guard_failed'
  | 'reaction_failed'
  | 'reaction_held_up'
  | 'worker_ended'
  | 'master_key_replaced';

/** The fields of a log line. Few lines have no kind. */
interface Facts {
  readonly kind?: LineKind;
  readonly [fact: string]: unknown;
}

interface WriteLine {
  (facts: Facts, message: string): void;
  (message: string): void;
}

/** The log methods of pino, which accept only known kinds. */
export type Log = Readonly<Record<'debug' | 'info' | 'warn' | 'error' | 'fatal', WriteLine>>;

/** Returns the kind of a line from its facts; undefined for the few lines without a kind. */
export function kindOf(facts: object | undefined): unknown {
  return facts && 'kind' in facts ? facts.kind : undefined;
}
