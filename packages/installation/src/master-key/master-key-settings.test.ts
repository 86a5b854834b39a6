import { createMasterKey } from '@gatehouse/key-encryption';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { masterKeySettings } from './master-key-settings.ts';

describe('The settings of the master key', () => {
  const settings = z.object(masterKeySettings);

  it('may be absent', () => {
    expect(settings.parse({})).toEqual({});
  });

  it('give the key as bytes', () => {
    const text = createMasterKey();
    const parsed = settings.parse({ GATEHOUSE_MASTER_KEY: text, GATEHOUSE_MASTER_KEY_FILE: '/run/key' });
    expect(parsed).toEqual({
      GATEHOUSE_MASTER_KEY: Uint8Array.from(Buffer.from(text, 'base64url')),
      GATEHOUSE_MASTER_KEY_FILE: '/run/key',
    });
  });

  it('are named in errors, and their values are never shown', () => {
    const { error } = settings.safeParse({ GATEHOUSE_MASTER_KEY: 'secret-word' });
    expect(error?.issues.map(({ path, message }) => [path.join(), message])).toEqual([
      ['GATEHOUSE_MASTER_KEY', expect.stringMatching(/^must be 32 bytes/)],
    ]);
    expect(JSON.stringify(error)).not.toContain('secret-word');
  });
});
