/** A PostgreSQL for one run of the tests. */
export interface TestPostgres {
  /** Of a user who may create databases. */
  readonly url: string;
  /** Where it comes from, for the line that says so. */
  readonly origin: string;
  stop(): Promise<void>;
}

/** Tests lose nothing by a power cut, and open many small pools. */
export const TEST_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  // A worker of it belongs to a superuser: a role without rights cannot drop a database in which one is at work.
  autovacuum: 'off',
};
