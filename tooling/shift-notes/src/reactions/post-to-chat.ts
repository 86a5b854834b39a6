import type { HappenedEvent, ReactionTools } from '@gatehouse/extension-kit';

/** The environment variable of the server with the address to which messages are posted. Without it, none is posted. */
export const CHAT_URL = 'SHIFT_NOTES_CHAT_URL';

/**
 * Posts a message about a new shift note to a chat. It is posted again if the chat does not confirm it: `id` is the same
 * then.
 *
 * @throws if the chat does not answer with success
 */
export async function postToChat(
  { subject, details, position }: Pick<HappenedEvent, 'subject' | 'details' | 'position'>,
  { signal }: Pick<ReactionTools<unknown>, 'signal'>,
): Promise<void> {
  const url = process.env[CHAT_URL];
  if (url === undefined) return;
  const text = `A shift note was created: ${subject.id}, severity ${details.severity}`;
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: position, text }),
    redirect: 'error',
    signal,
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`the chat answered ${response.status}`);
}
