export { addressOf } from './address.ts';
export { createTestDatabase, type TestDatabase, type TestSchema } from './create-test-database.ts';
export { openDistantDatabase } from './distant-database.ts';
export { type HostileServer, openHostileServer, type Trick } from './hostile-server.ts';
export { hasPgBouncer, startPgBouncer } from './pgbouncer.ts';
export { openRelay, type Relay } from './relay.ts';
export { openSilenceableProxy, type SilenceableProxy } from './silenceable-proxy.ts';
export { openTableLock, type TableLock } from './table-lock.ts';
export { hasOpenSsl, openTlsProxy, type TlsProxy } from './tls-proxy.ts';
