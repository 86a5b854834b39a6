import { tokenIdGeneratorContract } from '@gatehouse/domain/testing/contracts';
import { afterEach, expect, test, vi } from 'vitest';
import { createUuidTokenIdGenerator } from './uuid-token-id-generator.ts';

afterEach(() => void vi.useRealTimers());

tokenIdGeneratorContract('uuid', createUuidTokenIdGenerator);

test('UUIDs begin with the time in milliseconds, which never decreases', () => {
  vi.useFakeTimers({ now: 4_000_000_000_000 });
  const first = createUuidTokenIdGenerator().next();
  expect(first.replace('-', '').slice(0, 12)).toBe((4_000_000_000_000).toString(16).padStart(12, '0'));
  vi.setSystemTime(1_000);
  expect(createUuidTokenIdGenerator().next() > first).toBe(true);
});
