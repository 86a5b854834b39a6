import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * @typedef {{ name: string, version: string, files: Record<string, string>, isStalled?: boolean, [field: string]:
 * unknown }} Package `isStalled`: the end of its tarball is never sent
 */

/**
 * A registry of npm packages on the loopback interface.
 * @param {readonly Package[]} packages
 */
export async function startPackageRegistry(packages) {
  const tarballs = new Map(packages.map((each) => [`/${each.name}`, pack(each)]));
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    const tarball = tarballs.get(path.replace(/(\/-\/.*)?\.tgz$/, ''));
    if (tarball === undefined) return response.writeHead(404).end('{}');
    const { files, isStalled, ...manifest } = /** @type {Package} */ (
      packages.find(
        ({ name }) => path === `/${name}` || path.startsWith(`/${name}/-/`) || path === `/${name}.tgz`,
      )
    );
    if (path.endsWith('.tgz')) {
      return isStalled ? response.write(tarball.subarray(0, -200)) : response.end(tarball);
    }
    const dist = {
      tarball: `http://${request.headers.host}/${manifest.name}.tgz`,
      integrity: integrityOf(tarball),
    };
    return response.end(
      JSON.stringify({ name: manifest.name, versions: { [manifest.version]: { ...manifest, dist } } }),
    );
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}/`,
    /** @param {string} name */
    integrityOf: (name) => integrityOf(/** @type {Buffer} */ (tarballs.get(`/${name}`))),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * @param {Package} manifest
 * @returns {Buffer} a gzipped tar file
 */
function pack({ files, isStalled, ...manifest }) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-package-'));
  try {
    for (const [path, text] of Object.entries({ ...files, 'package.json': JSON.stringify(manifest) })) {
      const file = join(folder, 'package', path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text, { mode: 0o755 });
    }
    execFileSync('tar', ['-czf', 'package.tgz', 'package'], { cwd: folder });
    return readFileSync(join(folder, 'package.tgz'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {Buffer} tarball */
function integrityOf(tarball) {
  return `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
}
