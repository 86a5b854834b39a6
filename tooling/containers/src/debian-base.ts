import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Engine } from './engine.ts';
import { succeed } from './programs.ts';

/** Replaces the images `debian` and `node` if no registry of images can be reached. */
export const BASE = 'gatehouse-test/debian';

const SUITE = 'trixie';
const MIRROR = 'http://deb.debian.org/debian';
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** Makes an image of a small Debian with the Node, the npm and the trusted certificate authorities of this machine. */
export async function makeDebianBase({ docker, env }: Engine): Promise<void> {
  const folder = await mkdtemp('/var/tmp/gatehouse-debian-');
  try {
    // Node of the npm registry needs libatomic1.
    const packages = '--include=ca-certificates,libatomic1';
    await succeed('debootstrap', ['--variant=minbase', packages, SUITE, folder, MIRROR]);
    const npm = dirname(dirname(await succeed('sh', ['-c', 'realpath "$(command -v npm)"'])));
    const local = join(folder, 'usr/local');
    await cp(npm, join(local, 'lib/npm'), { recursive: true });
    await symlink('../lib/npm/bin/npm-cli.js', join(local, 'bin/npm'));
    await cp(process.execPath, join(local, 'bin/node'));
    await cp(CERTIFICATES, join(folder, CERTIFICATES));
    const trust = `ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES} SSL_CERT_FILE=${CERTIFICATES}`;
    const archive = spawn('tar', ['--directory', folder, '--create', '.'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const importing = spawn('docker', ['import', '--change', trust, '-', BASE], {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    archive.stdout.pipe(importing.stdin);
    const [status] = await once(importing, 'exit');
    if (status !== 0) throw new Error(`docker import ended (${status})`);
    await docker(['image', 'inspect', '--format', '{{.Id}}', BASE]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
