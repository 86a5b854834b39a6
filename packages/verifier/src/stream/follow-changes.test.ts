import { describe, expect, it } from 'vitest';
import { aVerifier, settled } from '../../testing/stub-gatehouse.ts';

const READ = { scope: 'orders:read' };
const proof = '{"heard":1,"time":1,"position":2,"database":"one"}';

describe('The change stream', () => {
  it('is followed by the next after 8 s, which takes over what is remembered', async () => {
    const { verifier, prove, jwt, timers, streams, pass, calls } = aVerifier();
    const first = await prove();
    await verifier.verify(jwt(), READ);
    pass(8000);
    await first.proof();
    timers.find(({ ms }) => ms === 8000)?.callback();
    timers.find(({ ms }) => ms === 0)?.callback();
    await settled();
    expect(streams).toHaveLength(2);
    await prove();
    await first.proof();
    expect(first.isOver()).toBe(true);
    expect(verifier.verifyNow(jwt(), READ)?.ok).toBe(true);
    expect(calls.filter((name) => name === 'introspect')).toHaveLength(1);
  });

  it('is not followed by the next before 8 s if its beginning was in time', async () => {
    const { streams, elapse, prove } = aVerifier();
    const stream = await prove();
    for (let turn = 0; turn < 7; turn += 1) {
      await elapse(1000);
      await stream.proof();
    }
    expect(streams).toHaveLength(1);
  });

  it('is followed by the next at once if its beginning was late, because its proofs are as late', async () => {
    const { streams, timers, elapse } = aVerifier();
    await settled();
    await elapse(3000);
    await streams[0]?.hello();
    await streams[0]?.proof();
    expect(streams).toHaveLength(1);
    await elapse(250);
    expect(streams).toHaveLength(2);
    await streams[1]?.hello();
    await streams[1]?.proof();
    await elapse(250);
    expect(streams).toHaveLength(2);
    expect(timers.some(({ ms }) => ms === 8000)).toBe(true);
  });

  it.each([
    ['a line without end', 'x'.repeat(600_000)],
    ['a huge line', `data: "${'x'.repeat(600_000)}"\n\n`],
    ['no JSON', 'data: {\n\n'],
    ['an event that it does not know', 'data: {"other":1}\n\n'],
    ['a proof that is no number', 'data: {"proof":{"heard":"1"}}\n\n'],
    ['a line without data', 'event: proof\n\n'],
    ['a proof that is infinite', `data: {"proof":${proof.replace('"heard":1', '"heard":1e999')}}\n\n`],
    [
      'a proof at a time that no clock shows',
      `data: {"proof":${proof.replace('"time":1', '"time":1e300')}}\n\n`,
    ],
    [
      'a proof at a time after which there are no dates',
      `data: {"proof":${proof.replace('"time":1', '"time":8640000000000000')}}\n\n`,
    ],
    ['a proof without a position', `data: {"proof":${proof.replace('"position":2', '"position":null')}}\n\n`],
    [
      'a proof that counts too few events',
      `data: {"proof":${proof.replace('"position":2', '"position":1')}}\n\n`,
    ],
    ['a change that is no list', 'data: {"changed":"some"}\n\n'],
    ['a change that is no text', 'data: {"changed":[1]}\n\n'],
    ['a second hello', `data: {"hello":{"nonce":"x","now":1,"replay_from":1}}\n\n`],
    ['bytes that are no UTF-8', Buffer.from([0x64, 0xff, 0x0a])],
  ])('ends with %s, and another is asked for after a pause', async (_, text) => {
    const { prove, timers } = aVerifier();
    const stream = await prove();
    expect(timers.map(({ ms }) => ms)).toEqual([8000, 12_000]);
    await stream.write(text);
    await settled();
    expect(stream.isOver()).toBe(true);
    expect(timers).toHaveLength(1);
    expect(timers[0]?.ms).toBeLessThan(500);
  });

  it.each([
    ['a redirect', () => new Response(null, { status: 307, headers: { location: 'http://elsewhere' } })],
    [
      'another content type',
      () => new Response(new ReadableStream(), { headers: { 'content-type': 'text/html' } }),
    ],
  ])('is not read from %s', async (_, openStream) => {
    const { stub, timers, requests, streams, verifier } = aVerifier();
    stub.openStream = openStream;
    await settled();
    await streams[0]?.write('ends the first stream\n');
    await settled();
    for (const { callback } of timers.splice(0)) callback();
    await settled();
    expect(requests).toHaveLength(2);
    // Only the pause before the next one is left: this one is over, though its body does not end.
    expect(timers).toHaveLength(1);
    timers[0]?.callback();
    await settled();
    expect(requests.every(({ path }) => path.startsWith('/api/v1/token-changes?nonce='))).toBe(true);
    await verifier.close();
  });

  it('is given up after 12 s, whatever it sends', async () => {
    const { prove, timers } = aVerifier();
    const stream = await prove();
    await stream.write(': a comment\n\n'.repeat(1000));
    expect(stream.isOver()).toBe(false);
    timers.find(({ ms }) => ms === 12_000)?.callback();
    expect(stream.isOver()).toBe(true);
  });

  it('goes on with a proof as Gatehouse writes it', async () => {
    const { prove } = aVerifier();
    const stream = await prove();
    await stream.write(`data: {"proof":${proof}}\n\n`);
    expect(stream.isOver()).toBe(false);
  });

  it('takes an event that comes byte by byte', async () => {
    const { prove } = aVerifier();
    const stream = await prove();
    for (const byte of `data: {"changed":["${'x'.repeat(200)}"]}\n\n`) await stream.write(byte);
    await stream.proof(3);
    expect(stream.isOver()).toBe(false);
  });

  it('begins no other stream after the verifier was closed', async () => {
    const { verifier, prove, timers } = aVerifier();
    const stream = await prove();
    await verifier.close();
    await settled();
    expect(stream.isOver()).toBe(true);
    expect(timers).toEqual([]);
  });
});
