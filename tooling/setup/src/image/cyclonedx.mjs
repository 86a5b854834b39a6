import { createHash } from 'node:crypto';

/**
 * A component of a bill of materials, as CycloneDX 1.6 describes it. Source: https://cyclonedx.org/docs/1.6/json/
 * @typedef {object} Component
 * @property {string} type
 * @property {string} name
 * @property {string} version
 * @property {string} purl
 * @property {readonly object[]} [licenses]
 */

/**
 * Returns the component of a package of npm's registry.
 * @param {{ name: string, version: string, license?: unknown }} manifest
 * @returns {Component}
 */
export function npmComponent({ name, version, license }) {
  const purl = purlOf(name, version);
  return { type: 'library', name, version, purl, ...licencesOf(license) };
}

/**
 * Returns the package URL of a package of npm. Source: https://github.com/package-url/purl-spec
 * @param {string} name
 * @param {string} version
 */
export function purlOf(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/**
 * Several licences are an expression, such as `MIT OR Apache-2.0`, and one has an id.
 * @param {unknown} license
 */
export function licencesOf(license) {
  if (typeof license !== 'string') return {};
  return { licenses: [/[ (]/.test(license) ? { expression: license } : { license: { id: license } }] };
}

/**
 * Completes a bill of materials. The same contents always make the same document: everything is sorted, the time is
 * left out, and the serial number is made of the contents.
 * @template {{ metadata: object, components: readonly object[], dependencies: readonly { dependsOn?: readonly string[] }[] }} Document
 * @param {Document} document
 */
export function finishBillOfMaterials(document) {
  const components = [...document.components].sort(by('purl'));
  const dependencies = document.dependencies
    .map((each) => ({ ...each, dependsOn: each.dependsOn && [...each.dependsOn].sort() }))
    .sort(by('ref'));
  const { timestamp: _, ...metadata } = /** @type {{ timestamp?: string }} */ (document.metadata);
  const complete = { ...document, metadata, components, dependencies };
  const hash = createHash('sha256')
    .update(JSON.stringify({ ...complete, serialNumber: '' }))
    .digest('hex');
  return { ...complete, serialNumber: `urn:uuid:${uuidOf(hash)}` };
}

/**
 * @param {string} name
 * @returns {(one: object, other: object) => number}
 */
function by(name) {
  return (one, other) => {
    const [first, second] = [one, other].map(
      (each) => /** @type {Record<string, string>} */ (each)[name] ?? '',
    );
    return (first ?? '') < (second ?? '') ? -1 : 1;
  };
}

/**
 * A UUID of version 8 (RFC 9562, 5.8).
 * @param {string} hash
 */
function uuidOf(hash) {
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
