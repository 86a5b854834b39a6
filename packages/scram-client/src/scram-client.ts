import pg from 'pg';
import { guardAuthentication } from './scram-guard.ts';

/**
 * A `pg` client that never sends its password. It authenticates by SCRAM-SHA-256 only (RFC 7677), in which each side proves
 * that it knows the password without revealing it; over TLS the proof is bound to the server's certificate if the server
 * supports that. If the server asks for the password in clear text or as MD5, or accepts a client with a password without
 * proving itself, the connection fails with a `PasswordWithheldError`.
 *
 * Without a password the client neither sends nor requires a proof, as for peer or certificate authentication.
 */
export class ScramClient extends pg.Client {
  constructor(config: pg.ClientConfig = {}) {
    super({ ...config, enableChannelBinding: true });
    guardAuthentication(this);
  }
}
