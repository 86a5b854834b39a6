import type { AccountId } from '../../src/accounts/index.ts';
import type { OrganizationId } from '../../src/organizations/index.ts';
import {
  changeFeedContract,
  changeFeedProbeContract,
  extensionSchemasContract,
  repositoryContracts,
  signInThrottleContract,
  storeProbeContract,
  usageFeedContract,
  usageRecorderContract,
  usageRecorderHealthContract,
} from '../contracts/index.ts';
import {
  createFixedClock,
  createInMemoryChangeFeed,
  createInMemoryChangeFeedProbe,
  createInMemoryExtensionSchemas,
  createInMemoryRepositories,
  createInMemorySignInThrottle,
  createInMemoryStoreProbe,
  START,
} from '../index.ts';

const open = async () => ({ ...createInMemoryRepositories(), close: async () => {} });

repositoryContracts('the in-memory store', open);
usageRecorderContract('the in-memory recorder', open);
usageFeedContract('the in-memory feed', async () => {
  const store = await open();
  return { ...store, cutOff: async () => store.usageFeed.lose() };
});
usageRecorderHealthContract('the in-memory recorder', async () => ({
  ...(await open()),
  now: async () => START,
}));
signInThrottleContract('the in-memory throttle', async (ports) => ({
  throttle: createInMemorySignInThrottle(ports),
  close: async () => {},
}));
changeFeedContract('the in-memory feed', async () => {
  let elapsed = 0;
  const elapsedMs = () => elapsed;
  const feed = createInMemoryChangeFeed({ clock: createFixedClock(START), monotonicClock: { elapsedMs } });
  return {
    feed,
    store: createInMemoryRepositories(feed.tell),
    elapsedMs,
    async hear() {
      elapsed += 1;
      feed.beat();
    },
    cutOff: async () => feed.lose(),
    close: async () => {},
  };
});
storeProbeContract('the in-memory probe', async (state) => {
  const clock = createFixedClock(START);
  const letTimePass = async () => clock.advance(1);
  return { probe: createInMemoryStoreProbe(clock, state), letTimePass, close: async () => {} };
});
changeFeedProbeContract('the in-memory probe', async (sound) => ({
  probe: createInMemoryChangeFeedProbe(
    sound ? undefined : { trusted: false, reason: 'no heartbeat arrives' },
  ),
  close: async () => {},
}));
extensionSchemasContract('the in-memory schemas', async () => {
  const { audit, record } = createInMemoryRepositories();
  const organizationId = 42 as OrganizationId;
  const accountId = 7 as AccountId;
  const words = { one: 'work order', several: 'work orders' };
  const schemas = createInMemoryExtensionSchemas(
    { record },
    {
      'work-orders': {
        state: 'current',
        tables: [
          { table: 'orders', rows: 3 },
          { table: 'parts', rows: 0 },
        ],
        belongings: new Map([[organizationId, { count: 2, ...words }]]),
        ofAccounts: new Map([[accountId, { count: 2, ...words }]]),
        lost: { belongsTo: 'organization', count: 1, ...words },
      },
      'never-migrated': { state: 'behind' },
    },
  );
  return { schemas, audit, organizationId, accountId, close: async () => {} };
});
