import { createMasterKey } from '@gatehouse/key-encryption';
import { expect, test } from 'vitest';
import { masterKeySettings } from './master-key.ts';
import { parseSettings } from './settings/index.ts';

const parse = (environment: Record<string, string>) => parseSettings(masterKeySettings, environment);

test('the settings of the master key give it as bytes, and may be absent', () => {
  const text = createMasterKey();
  expect(parse({})).toEqual({ ok: true, value: {} });
  const bytes = Uint8Array.from(Buffer.from(text, 'base64url'));
  expect(parse({ GATEHOUSE_MASTER_KEY: text })).toEqual({ ok: true, value: { GATEHOUSE_MASTER_KEY: bytes } });
  const file = { GATEHOUSE_MASTER_KEY_FILE: '/run/key' };
  expect(parse(file)).toEqual({ ok: true, value: file });
});

test('a wrong one is named in the error, and its value is never shown', () => {
  const wrong = parse({ GATEHOUSE_MASTER_KEY: 'secret-word' });
  expect(wrong).toEqual({
    ok: false,
    error: [expect.stringMatching(/^GATEHOUSE_MASTER_KEY must be 32 bytes/)],
  });
  expect(JSON.stringify(wrong)).not.toContain('secret-word');
});
