/** A server of Gatehouse tells `all` instead of longer events. */
const MAX_LENGTH = 512 * 1024;

/**
 * The data of each event of a stream (HTML Living Standard, section Server-sent events), as far as Gatehouse uses the format: one
 * line of data for each event.
 *
 * @throws if a line is longer than 512 Ki characters, or no event of Gatehouse
 */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const chunk of body) {
    const more = decoder.decode(chunk, { stream: true });
    rest += more;
    // A line that comes byte by byte is not searched again for each.
    const lines = more.includes('\n') ? rest.split('\n') : [rest];
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const data = dataOf(line.endsWith('\r') ? line.slice(0, -1) : line);
      if (data !== undefined) yield data;
    }
    if (rest.length > MAX_LENGTH) throw new Error('a line of the stream is too long');
  }
}

function dataOf(line: string): string | undefined {
  if (line.length > MAX_LENGTH) throw new Error('a line of the stream is too long');
  // A blank line ends an event; a colon begins a comment.
  if (line === '' || line.startsWith(':')) return undefined;
  if (!line.startsWith('data: ')) throw new Error('a line of the stream is no data');
  return line.slice('data: '.length);
}
