import { tokenIdGeneratorContract } from '@gatehouse/domain/testing/contracts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createUuidTokenIdGenerator } from './uuid-token-id-generator.ts';

tokenIdGeneratorContract('uuid', createUuidTokenIdGenerator);

describe('UUIDs of version 7', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('begin with the time in milliseconds, which never decreases', () => {
    vi.useFakeTimers({ now: 4_000_000_000_000 });
    const generator = createUuidTokenIdGenerator();
    const first = generator.next();
    expect(first.replace('-', '').slice(0, 12)).toBe((4_000_000_000_000).toString(16).padStart(12, '0'));
    vi.setSystemTime(1_000);
    const second = createUuidTokenIdGenerator().next();
    expect(second > first).toBe(true);
  });
});
