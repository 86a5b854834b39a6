import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

export const FOLDER = fileURLToPath(new URL('../../../docs/operate/kubernetes', import.meta.url));

/** The secrets of the example, which an operator writes. */
export const SECRETS = ['database_url', 'database_listen_url', 'master_key'];

/** The part of a manifest that these tests read; schemas check the rest. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels?: Labels };
  // Each kind has members of its own, at any depth.
  // biome-ignore lint/suspicious/noExplicitAny: the schemas say what it has.
  readonly spec?: any;
  readonly data?: Readonly<Record<string, string>>;
}

export type Labels = Readonly<Record<string, string>>;

/** The manifests in a text, one after the other. */
export function parseManifests(text: string): readonly Manifest[] {
  return parseAllDocuments(text).map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return document.toJS();
  });
}

/** The files of a folder of manifests, by their names. */
export function readFolder(name: string): ReadonlyMap<string, readonly Manifest[]> {
  const folder = join(FOLDER, name);
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  return new Map(files.map((file) => [file, parseManifests(readFileSync(join(folder, file), 'utf8'))]));
}

/** The commands that build a folder; both are kustomize. */
const BUILDERS = [
  ['kubectl', 'kustomize'],
  ['kustomize', 'build'],
] as const;

/** The one that is installed. */
export const builder = BUILDERS.find(([program, ...args]) => {
  const { status } = spawnSync(program, [...args, '--help'], { stdio: 'ignore' });
  return status === 0;
});

/** Copies the folder as an operator has it, with secrets in the example. */
export function copyFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-kubernetes-'));
  cpSync(FOLDER, folder, { recursive: true });
  const example = join(folder, 'overlays/example');
  mkdirSync(join(example, 'secrets'), { recursive: true });
  for (const name of SECRETS) writeFileSync(join(example, 'secrets', name), `the ${name}\n`);
  return { folder, example, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

/** Builds a folder by kustomize. */
export function build(folder: string): readonly Manifest[] {
  if (builder === undefined) throw new Error('kustomize is not installed');
  const [program, ...args] = builder;
  const { status, stdout, stderr } = spawnSync(program, [...args, folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return parseManifests(stdout);
}
