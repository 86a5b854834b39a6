import { mailerContract } from './contracts/mailer-contract.ts';
import { createFakeMailer } from './fake-mailer.ts';

mailerContract('the fake mailer', async () => {
  const mailer = createFakeMailer();
  return {
    mailer,
    received: async () => mailer.sent,
    refuseRecipient: mailer.refuse,
    defer: () => mailer.fail('deferred'),
    takeAway: async () => mailer.fail('not_reachable'),
    [Symbol.asyncDispose]: async () => {},
  };
});
