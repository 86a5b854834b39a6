import { execFileSync, spawnSync } from 'node:child_process';
import { delimiter } from 'node:path';

/** The folders of programs of this machine: `PATH` without the tools that the set-up installed. */
export function machinePath(path: string = process.env.PATH ?? ''): string {
  return path
    .split(delimiter)
    .filter((folder) => folder !== '' && !folder.includes('node_modules'))
    .join(delimiter);
}

/**
 * Returns the major version of the machine's own Node.
 *
 * @throws Error if it has none
 */
export function machineNodeMajor(path: string = machinePath()): number {
  const { status, stdout } = spawnSync('node', ['--version'], { env: { PATH: path }, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the machine has no Node of its own on ${path}`);
  return Number(/^v(\d+)/.exec(stdout)?.[1]);
}

/**
 * The settings with which npm installs from this machine's registry. No file with settings of npm is read by it, so it
 * has no credentials.
 */
export function npmSettings(environment: NodeJS.ProcessEnv = process.env): Readonly<Record<string, string>> {
  const config = (name: string) =>
    execFileSync('npm', ['config', 'get', name], {
      encoding: 'utf8',
      env: { ...environment, PATH: machinePath() },
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  const passed = [
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'NO_PROXY',
    'http_proxy',
    'https_proxy',
    'no_proxy',
    'NODE_EXTRA_CA_CERTS',
  ];
  return {
    ...Object.fromEntries(
      passed.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
    ),
    npm_config_registry: config('registry'),
    npm_config_cache: config('cache'),
    npm_config_globalconfig: '/dev/null',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  };
}
