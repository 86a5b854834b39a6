import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import tls from 'node:tls';
import type { Person } from '@gatehouse/browser';
import { freePorts } from '@gatehouse/test-database';
import { ROOT } from './build-image.ts';
import { BASE } from './debian-base.ts';
import type { Engine } from './engine.ts';
import { succeed } from './programs.ts';

const ADA: Person = { email: 'ada@acme.example', password: 'the phrase of Ada' };
const BEN: Person = { email: 'ben@acme.example', password: 'the phrase of Ben' };
const GIL: Person = { email: 'gil@globex.example', password: 'the phrase of Gil' };
const HAL: Person = { email: 'hal@globex.example', password: 'the phrase of Hal' };

/** The services of `compose.yaml`, with people of two accounts and an organization of each. */
export type Stack = Awaited<ReturnType<typeof startStack>>;

/** Starts `compose.yaml` with this image, at a free port, and fills it by commands. */
export async function startStack(engine: Engine, image: string) {
  const [port = 0] = await freePorts(1);
  const url = `https://localhost:${port}`;
  const env = {
    ...engine.env,
    COMPOSE_PROJECT_NAME: `gatehouse-test-${randomBytes(4).toString('hex')}`,
    DEBIAN: BASE,
    NODE: BASE,
    GATEHOUSE_IMAGE: image,
    PUBLIC_URL: url,
    PUBLISH: `127.0.0.1:${port}`,
    SUBNET: '172.31.251.0/24',
    PROXY: '172.31.251.250',
  };
  const compose = (args: readonly string[], more: { image?: string; stdin?: string } = {}) =>
    succeed('docker-compose', args, {
      cwd: ROOT,
      env: { ...env, GATEHOUSE_IMAGE: more.image ?? image },
      ...(more.stdin !== undefined && { stdin: more.stdin }),
    });
  const close = () =>
    compose(['down', '--volumes', '--timeout', '5', '--rmi', 'local']).then(() => undefined);
  const command = (args: readonly string[], stdin?: string) =>
    compose(['run', '-T', '--rm', 'gatehouse', ...args], stdin === undefined ? {} : { stdin });
  try {
    await compose(['up', '--detach', '--build']);
    const certificate = await compose(['exec', '-T', 'haproxy', 'cat', '/run/secrets/certificate.pem']);
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), certificate]);
    for (let tries = 0; !(await answers(url)); tries += 1) {
      if (tries > 150) throw new Error(`nothing answers: ${await compose(['logs', '--tail=20'])}`);
      await setTimeout(200);
    }
    await fill(command);
    return {
      url,
      env,
      compose,
      command,
      /** The process of a service's container, as this machine numbers it. */
      async processOf(service: string): Promise<number> {
        const id = await compose(['ps', '--quiet', service]);
        return Number(await engine.docker(['inspect', '--format', '{{.State.Pid}}', id]));
      },
      /** The address of a service's container, which this machine reaches. */
      async addressOf(service: string): Promise<string> {
        const id = await compose(['ps', '--quiet', service]);
        const format = '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}';
        return engine.docker(['inspect', '--format', format, id]);
      },
      /** The address from which programs of this machine reach the containers. */
      gateway: '172.31.251.1',
      acme: { admin: ADA, member: BEN },
      globex: { admin: GIL, member: HAL },
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function fill(command: (args: readonly string[], stdin?: string) => Promise<string>): Promise<void> {
  for (const [account, admin, member] of [
    ['Acme', ADA, BEN],
    ['Globex', GIL, HAL],
  ] as const) {
    const id = await command(['account', 'create', '--name', account]);
    await command(['org', 'create', '--account', id, '--name', `${account} foundry`]);
    for (const [person, role] of [
      [admin, 'admin'],
      [member, 'member'],
    ] as const) {
      const options = ['--account', id, '--email', person.email, '--name', person.email.split('@')[0] ?? ''];
      await command(
        ['user', 'create', ...options, '--role', role, '--password-stdin'],
        `${person.password}\n`,
      );
    }
  }
}

const answers = (url: string) =>
  fetch(`${url}/openapi.json`).then(
    ({ status }) => status === 200,
    () => false,
  );
