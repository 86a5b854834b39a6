import pg from 'pg';
import { guardAuthentication } from './scram-guard.ts';

/**
 * pg's client, which tells its password to no server. It authenticates by SCRAM-SHA-256 only (RFC 7677), in which
 * either side proves that it knows the password without telling it; over TLS the proof is bound to the server's
 * certificate where the server offers that. A server that asks for the password in clear text or as MD5, or lets a
 * client with a password in without a proof of its own, fails the connection by a `PasswordWithheldError`.
 *
 * Without a password the client proves nothing and asks for no proof, as for peer or certificate authentication.
 */
export class ScramClient extends pg.Client {
  constructor(config: pg.ClientConfig = {}) {
    super({ ...config, enableChannelBinding: true });
    guardAuthentication(this);
  }
}
