import { UnavailableFault } from '@gatehouse/domain';
import { expect, test } from 'vitest';
import { inTime } from './in-time.ts';

test('a read that comes in time is what it is', async () => {
  expect(await inTime(Promise.resolve(7), 1000)).toBe(7);
  await expect(inTime(Promise.reject(new Error('it failed')), 1000)).rejects.toThrow('it failed');
});

test('a read that does not come is a fault that may pass', async () => {
  await expect(inTime(new Promise(() => undefined), 10)).rejects.toBeInstanceOf(UnavailableFault);
});

test('a read whose answer waits behind a pause of the process is not given up', async () => {
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise<string>((resolve) => port1.once('message', resolve));
  // From here the event loop comes to its timers before it reads.
  await new Promise(setImmediate);
  const read = inTime(answer, 10);
  const until = performance.now() + 30;
  while (performance.now() < until);
  port2.postMessage('there');
  await expect(read).resolves.toBe('there');
  port1.close();
});

test('a read that takes several turns of an event loop that is busy is not given up', async () => {
  const { port1, port2 } = new MessageChannel();
  port2.on('message', (value) => port2.postMessage(value));
  let isBusy = true;
  (function work() {
    const until = performance.now() + 20;
    while (performance.now() < until);
    if (isBusy) setImmediate(work);
  })();
  const exchange = () =>
    new Promise((resolve) => {
      port1.once('message', resolve);
      port1.postMessage('there');
    });
  // Such as getting a connection, and then the statement itself.
  const read = async () => {
    await exchange();
    await exchange();
    return exchange();
  };
  await expect(inTime(read(), 30)).resolves.toBe('there');
  isBusy = false;
  port1.close();
});
