import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { happen } from '@gatehouse/extension-testing';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { shiftNotes } from '../index.ts';
import { CHAT_URL } from './post-to-chat.ts';

/** A chat that answers with this status, and the messages that it got. */
async function openChat(status: number) {
  const messages: unknown[] = [];
  const server = createServer(async (request, response) => {
    messages.push(await json(request));
    response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  process.env[CHAT_URL] = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return messages;
}

afterEach(() => {
  delete process.env[CHAT_URL];
});

const CREATED = {
  action: 'shift_note.created',
  position: 42,
  subject: { type: 'shift_note', id: '7' },
  details: { severity: 'warning' },
} as const;

test('a new shift note is posted to the chat', async () => {
  const messages = await openChat(200);
  await happen(shiftNotes, CREATED);
  expect(messages).toEqual([{ id: 42, text: 'A shift note was created: 7, severity warning' }]);
});

test('the message is tried again if the chat does not confirm it', async () => {
  await openChat(500);
  await expect(happen(shiftNotes, CREATED)).rejects.toThrow('the chat answered 500');
});

test('nothing is posted of other events, and without a chat', async () => {
  await happen(shiftNotes, CREATED);
  const messages = await openChat(200);
  await happen(shiftNotes, { ...CREATED, action: 'shift_note.closed' });
  expect(messages).toEqual([]);
});
