import { createMasterKey } from '@gatehouse/key-encryption';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { masterKeySettings } from './master-key-settings.ts';

const settings = z.object(masterKeySettings);

test('the settings of the master key give it as bytes, and may be absent', () => {
  const text = createMasterKey();
  expect(settings.parse({})).toEqual({});
  expect(settings.parse({ GATEHOUSE_MASTER_KEY: text, GATEHOUSE_MASTER_KEY_FILE: '/run/key' })).toEqual({
    GATEHOUSE_MASTER_KEY: Uint8Array.from(Buffer.from(text, 'base64url')),
    GATEHOUSE_MASTER_KEY_FILE: '/run/key',
  });
});

test('a wrong one is named in the error, and its value is never shown', () => {
  const { error } = settings.safeParse({ GATEHOUSE_MASTER_KEY: 'secret-word' });
  expect(error?.issues.map(({ path, message }) => [path.join(), message])).toEqual([
    ['GATEHOUSE_MASTER_KEY', expect.stringMatching(/^must be 32 bytes/)],
  ]);
  expect(JSON.stringify(error)).not.toContain('secret-word');
});
