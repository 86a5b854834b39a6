import { fillDataFolder } from '@gatehouse/embedded-postgres/testing/fill-data-folder';
import { freePorts } from '@gatehouse/test-database';
import { fillServedFolder } from '@gatehouse/test-database/served-folder';
import { afterAll, beforeAll, it } from 'vitest';
import { newPage, startWorld, type World } from '../index.ts';
import { addGlobex } from '../world/start-world.ts';
import { expectGoodPage, reach } from './every-page/good-page.ts';
import { MAIL_STATES } from './every-page/mail-states.ts';

let world: World;
beforeAll(async () => {
  const [port] = await freePorts(1);
  const PUBLIC_URL = `http://localhost:${port}`;
  const started = await startWorld({
    fill: (data) => fillServedFolder(data, fillDataFolder, { name: 'globex', add: addGlobex }),
    hasGlobex: true,
    // Nothing serves this port: the pages do not wait for the mail server.
    settings: {
      ...{ PORT: `${port}`, PUBLIC_URL, SMTP_URL: 'smtp://127.0.0.1:9', SMTP_TLS: 'off' },
      MAIL_FROM: 'gatehouse@acme.example',
    },
  });
  world = { ...started, url: PUBLIC_URL };
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

it.each(MAIL_STATES)(
  '$name: is as it has to be, wide and narrow, light and dark, and by the Tab key',
  async (state) => {
    await using page = await newPage();
    await expectGoodPage(page, await reach(page, world, state, undefined), state);
  },
);
