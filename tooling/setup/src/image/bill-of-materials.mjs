import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runQuietly } from '../run-quietly.mjs';
import { SetUpError } from '../set-up-error.mjs';
import { ROOT } from '../workspace.mjs';
import { finishBillOfMaterials, npmComponent } from './cyclonedx.mjs';
import { APPS } from './workspace-packages.mjs';

/**
 * Writes the contents of the image as a CycloneDX document, /gatehouse/sbom.cdx.json: the packages as pnpm lists them,
 * Node, and the Debian packages of the shared libraries.
 * @param {string} image
 * @param {{ node: string, libraries: readonly string[], bundled: readonly string[] }} parts `bundled`: the folders of packages
 */
export async function writeBillOfMaterials(image, { node, libraries, bundled }) {
  const filters = APPS.flatMap((name) => ['--filter', name]);
  const list = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-spec-version', '1.6', '--prod', ...filters];
  const { succeeded, output } = await runQuietly('pnpm', list, { cwd: ROOT });
  if (!succeeded) throw new SetUpError('pnpm could not list the packages: see above.', output);
  const document = JSON.parse(output);
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1);
  // pnpm's list has no fixed order, and has the time and a random number.
  const components = [
    ...npmPackages(image, bundled, document.components),
    { type: 'platform', name: 'node', version, purl: `pkg:generic/node@${version}` },
    ...debianPackages(libraries),
  ];
  const complete = finishBillOfMaterials({ ...document, components });
  writeFileSync(join(image, 'gatehouse/sbom.cdx.json'), JSON.stringify(complete, null, 1));
}

/**
 * Returns the packages in the image, as pnpm describes them. pnpm also describes packages for other systems, and omits
 * some that are there as peers.
 * @param {string} image
 * @param {readonly string[]} bundled
 * @param {readonly { purl: string, group?: string }[]} described
 */
function npmPackages(image, bundled, described) {
  const store = join(image, 'gatehouse/node_modules/.pnpm');
  const required = readdirSync(store).map((folder) => {
    // The folder of a package is named after it, with its version.
    const name = (/^@?[^@]+/.exec(folder)?.[0] ?? '').replace('+', '/');
    return join(store, folder, 'node_modules', name);
  });
  const stored = [...bundled, ...required]
    .map((folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
    .map(npmComponent);
  const known = new Map(described.map((component) => [component.purl, component]));
  const ofWorkspace = described.filter(({ group }) => group === '@gatehouse');
  return [...ofWorkspace, ...stored.map((component) => known.get(component.purl) ?? component)];
}

/** @param {readonly string[]} libraries */
function debianPackages(libraries) {
  if (!existsSync('/var/lib/dpkg/status')) return [];
  const found = new Map();
  for (const library of libraries) {
    // If /lib is a link to /usr/lib, dpkg knows a file by only one of the two paths.
    const paths = [library, realpathSync(library)].flatMap((path) => [
      path,
      path.replace(/^\/usr/, ''),
      `/usr${path}`,
    ]);
    const owner = firstLine('dpkg-query', ['--search', ...paths]).split(': ')[0] ?? '';
    const [name, version, architecture] = firstLine('dpkg-query', [
      '--show',
      `--showformat=${['Package', 'Version', 'Architecture'].map((name) => `\${${name}}`).join('\\t')}\\n`,
      owner,
    ]).split('\t');
    if (name) found.set(name, { name, version, architecture });
  }
  return [...found.values()].map(({ name, version, architecture }) => ({
    type: 'library',
    name,
    version,
    purl: `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}`,
  }));
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 */
function firstLine(command, args) {
  try {
    return (
      execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).split('\n')[0] ??
      ''
    );
  } catch (error) {
    // With several paths, it fails if one of them is unknown.
    return String(/** @type {{ stdout?: string }} */ (error).stdout ?? '').split('\n')[0] ?? '';
  }
}
