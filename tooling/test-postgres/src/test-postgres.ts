/** A PostgreSQL for one test run. */
export interface TestPostgres {
  /** The URL of a user who may create databases. */
  readonly url: string;
  /** Its origin, for the first line of the output. */
  readonly origin: string;
  /** It was there before: what tests leave behind stays. */
  readonly outlivesRun?: boolean;
  stop(): Promise<void>;
}

/** Settings: tests need no protection from a power cut, and open many small pools. */
export const TEST_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  // Off, because its workers belong to a superuser: a role without rights cannot drop a database in use by one.
  autovacuum: 'off',
};
