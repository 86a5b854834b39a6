import { beforeAll, it } from 'vitest';
import { newPage, type Person } from '../index.ts';
import { ACTIVITY_STATES } from './every-page/activity-states.ts';
import { expectGoodPage, reach } from './every-page/good-page.ts';
import { LINK_STATES } from './every-page/link-states.ts';
import { makeAll } from './every-page/made.ts';
import { ORGANIZATION_STATES } from './every-page/organization-states.ts';
import { OWN_STATES } from './every-page/own-states.ts';
import { SECOND_FACTOR_STATES } from './every-page/second-factor-states.ts';
import { SERVICE_ACCOUNT_STATES } from './every-page/service-account-states.ts';
import { type Made, RETURNING, STRICT, type Who } from './every-page/state.ts';
import { TOKEN_STATES } from './every-page/token-states.ts';
import { USER_STATES } from './every-page/user-states.ts';
import { WEBHOOK_STATES } from './every-page/webhook-states.ts';
import { sharedSessions, worldOfTests } from './world-of-tests.ts';

const world = worldOfTests();
const signedIn = sharedSessions(world);

const STATES = [
  ...OWN_STATES,
  ...TOKEN_STATES,
  ...USER_STATES,
  ...SECOND_FACTOR_STATES,
  ...SERVICE_ACCOUNT_STATES,
  ...LINK_STATES,
  ...ACTIVITY_STATES,
  ...ORGANIZATION_STATES,
  ...WEBHOOK_STATES,
];

const people = (): Readonly<Record<Exclude<Who, 'visitor'>, Person>> => ({
  admin: world().acme.admin,
  member: world().acme.member,
  beginner: world().globex.admin,
  returning: RETURNING,
  strict: STRICT,
});

let made: Made | undefined;

beforeAll(async () => {
  await using page = await signedIn(people().admin);
  made = await makeAll(world(), page);
}, 180_000);

it.each(STATES)(
  '$name: is as it has to be, wide and narrow, light and dark, and by the Tab key',
  async (state) => {
    if (made === undefined) throw new Error('no token was made');
    const { who } = state;
    await using page = who === 'visitor' ? await newPage() : await signedIn(people()[who]);
    await expectGoodPage(page, await reach(page, world(), state, made), state);
  },
);
