import {
  accountRepositoryContract,
  auditLogContract,
  changeFeedContract,
  changeFeedProbeContract,
  organizationRepositoryContract,
  signInBoundContract,
  signInThrottleContract,
  signingKeyRepositoryContract,
  storeProbeContract,
  suggestionSourceContract,
  tokenPruningContract,
  tokenReadingContract,
  tokenRepositoryContract,
  tokenRotationContract,
  usageFeedContract,
  usageRecorderContract,
  usageRecorderHealthContract,
  userRepositoryContract,
} from '../contracts/index.ts';
import {
  createFixedClock,
  createInMemoryChangeFeed,
  createInMemoryChangeFeedProbe,
  createInMemoryRepositories,
  createInMemorySignInThrottle,
  createInMemoryStoreProbe,
  START,
} from '../index.ts';

const open = async () => ({ ...createInMemoryRepositories(), close: async () => {} });

accountRepositoryContract('the in-memory store', open);
userRepositoryContract('the in-memory store', open);
organizationRepositoryContract('the in-memory store', open);
signInBoundContract('the in-memory store', open);
tokenPruningContract('the in-memory store', open);
tokenReadingContract('the in-memory store', open);
tokenRepositoryContract('the in-memory store', open);
tokenRotationContract('the in-memory store', open);
signingKeyRepositoryContract('the in-memory store', open);
auditLogContract('the in-memory store', open);
suggestionSourceContract('the in-memory store', open);
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
  probe: createInMemoryChangeFeedProbe(sound ? undefined : { trusted: false, reason: 'nobody speaks' }),
  close: async () => {},
}));
