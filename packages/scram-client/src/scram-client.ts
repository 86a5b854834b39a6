import pg from 'pg';
import { guardAuthentication } from './scram-guard.ts';

/**
 * A `pg` client that never sends its password. It authenticates only by SCRAM-SHA-256 (RFC 7677), in which client and
 * server prove to each other that they know the password without revealing it. Over TLS, the proof is bound to the
 * server's certificate if the server supports that. The connection fails with a `PasswordWithheldError` if the server
 * asks for the password in clear text or as MD5, or if the server does not prove that it knows the password.
 *
 * A client without a password neither sends nor requires a proof, for example with peer or certificate authentication.
 */
export class ScramClient extends pg.Client {
  constructor(config: pg.ClientConfig = {}) {
    super({ ...config, enableChannelBinding: true });
    guardAuthentication(this);
  }
}
