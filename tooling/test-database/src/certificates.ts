import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Whether certificates can be created on this machine. */
export const hasOpenSsl = await run('openssl', ['version']).then(
  () => true,
  () => false,
);

/** The files of the certificates, in a folder that is removed in the end. */
export interface Certificates extends AsyncDisposable {
  /** The certificate of a server named `localhost`, and its key. */
  readonly cert: string;
  readonly key: string;
  /**
   * The certificate of the authority that signed the server's certificate, and the certificate of another authority.
   */
  readonly ca: string;
  readonly otherCa: string;
}

/**
 * @param isExpired whether the server's certificate ended a day ago
 * @param isRsa whether the server has a key of RSA, as older ways to agree on a key of the connection need it
 */
export async function createCertificates({ isExpired = false, isRsa = false } = {}): Promise<Certificates> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-tls-'));
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  for (const name of ['ca', 'other-ca']) {
    const self = ['req', '-x509', '-days', '1', '-subj', `/CN=${name}`, '-keyout', `${name}.key`];
    await openssl(...self, ...newKey, '-out', `${name}.pem`);
  }
  const serverKey = isRsa ? ['-newkey', 'rsa:2048', '-nodes'] : newKey;
  await openssl('req', ...serverKey, '-subj', '/CN=localhost', '-keyout', 'server.key', '-out', 'server.csr');
  await writeFile(join(folder, 'names'), 'subjectAltName=DNS:localhost\n');
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names'];
  const days = ['-days', isExpired ? '-1' : '1'];
  await openssl('x509', '-req', '-in', 'server.csr', ...signed, ...days, '-out', 'server.pem');
  return {
    cert: join(folder, 'server.pem'),
    key: join(folder, 'server.key'),
    ca: join(folder, 'ca.pem'),
    otherCa: join(folder, 'other-ca.pem'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
