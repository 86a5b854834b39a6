import { expect, test } from 'vitest';
import { recordLog } from '../../testing/log.ts';
import { parseSettings } from '../settings/settings.ts';
import { createRequestServer } from './request-server.ts';

test('a server that stops ends its streams first, so that they do not hold it up', async () => {
  const settings = parseSettings({ PORT: '0', DRAIN_DELAY_MS: '0' });
  if (!settings.ok) throw new Error('wrong settings');
  let end = () => undefined as unknown;
  const server = createRequestServer(
    (_, response) => {
      response.write('begun');
      end = () => response.end(' and ended');
    },
    settings.value,
    { ...recordLog(), limits: { inc: () => undefined }, endStreams: () => end() },
  );
  const response = await fetch(await server.start());
  // Without the end of the stream, this waits until connections are cut, and the body is not complete.
  const stopped = server.stop(new AbortController().signal);
  expect(await response.text()).toBe('begun and ended');
  await stopped;
});
